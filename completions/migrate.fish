# Completion of migrate for fish. In ~/.config/fish/config.fish:
#   migrate completion fish | source

function __migrate_complete
    set -l words (commandline --cut-at-cursor --current-process --tokenize)
    set -l current (commandline --cut-at-cursor --current-token)
    set -l found (command migrate complete -- $words[2..] "$current" 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        # Files, where migrate has nothing to offer.
        set -l option (string match --regex '^--[^=]*=' -- "$current")
        for path in (__fish_complete_path (string replace -- "$option" '' "$current"))
            echo "$option$path"
        end
    end
end

complete --command migrate --no-files --arguments '(__migrate_complete)'
