# Completion of migrate for bash 3.2 and later. In ~/.bashrc:
#   eval "$(migrate completion bash)"

_migrate() {
  local line
  COMPREPLY=()
  # What comes back is taken as it is: nothing of it is ever expanded.
  while IFS= read -r line; do
    COMPREPLY[${#COMPREPLY[@]}]=${line%%$'\t'*}
  done < <(command migrate complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}

# Files, where migrate has nothing to offer.
complete -o default -F _migrate migrate
