/** The completion scripts: each asks the program for the words, with what is typed up to the cursor. */

const BASH = `# bash completion of incidentctl; to use it: source <(incidentctl completion bash)
_incidentctl() {
  local word description files=""
  COMPREPLY=()
  while IFS=$'\\t' read -r word description; do
    if [ "$word" = ":files" ]; then files=yes; else COMPREPLY+=("$word"); fi
  done < <(incidentctl __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null)
  if [ -z "$files" ]; then compopt +o default +o bashdefault 2> /dev/null; fi
}
complete -o bashdefault -o default -F _incidentctl incidentctl
`;

const ZSH = `#compdef incidentctl
# zsh completion of incidentctl; to use it: incidentctl completion zsh > a directory of $fpath, as _incidentctl
_incidentctl() {
  local word description files
  local -a offered
  while IFS=$'\\t' read -r word description; do
    if [[ $word == :files ]]; then files=yes; else offered+=("\${word//:/\\\\:}:$description"); fi
  done < <(incidentctl __complete "\${(@)words[2,CURRENT-1]}" "$PREFIX" 2> /dev/null)
  if [[ "$PREFIX" == -* ]]; then _describe -o flag offered; else _describe word offered; fi
  if [[ -n $files ]]; then compset -P '--*='; _files; fi
}
if [ "$funcstack[1]" = "_incidentctl" ]; then _incidentctl "$@"; else compdef _incidentctl incidentctl; fi
`;

const FISH = `# fish completion of incidentctl; to use it: incidentctl completion fish > ~/.config/fish/completions/incidentctl.fish
function __incidentctl_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  for line in (incidentctl __complete $words[2..-1] "$current" 2> /dev/null)
    if test "$line" = ":files"
      __fish_complete_path (string replace -r '^--[^=]*=' '' -- "$current")
    else
      printf '%s\\n' $line
    end
  end
end
complete -c incidentctl -f -a '(__incidentctl_complete)'
`;

/** By shell. bash from 3.2 on. */
export const COMPLETION_SCRIPTS: Readonly<Record<string, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
