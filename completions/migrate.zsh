#compdef migrate
# Completion of migrate for zsh. In ~/.zshrc, after compinit:
#   eval "$(migrate completion zsh)"

_migrate() {
  local line
  local -a names shown
  while IFS= read -r line; do
    names+=("${line%%$'\t'*}")
    shown+=("${line/$'\t'/  -- }")
  done < <(command migrate complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( $#names )); then
    compadd -l -d shown -a names
  else
    # Files, where migrate has nothing to offer.
    compset -P '--*='
    _files
  fi
}

# Also works as a file named _migrate on the fpath.
if [[ $funcstack[1] == _migrate ]]; then
  _migrate "$@"
else
  compdef _migrate migrate
fi
