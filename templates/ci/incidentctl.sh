#!/bin/sh
# The commands of a pipeline. They need a POSIX shell and Node.
#
#   sh ci/incidentctl.sh review        validate and plan a change, and post the plan in a comment
#   sh ci/incidentctl.sh find          download the reviewed plan
#   sh ci/incidentctl.sh apply [PLAN]  apply this plan; exit code 5 if it is stale, with a new plan in reports/
#   sh ci/incidentctl.sh drift         keep one issue about the differences
#
#   INCIDENTCTL              the program (incidentctl)
#   INCIDENTCTL_TOKEN, INCIDENTCTL_ADMIN_TOKEN
#   INCIDENTCTL_ENVIRONMENT  environment in the settings
#   INCIDENTCTL_FLAGS        more flags for every command that connects to the service: --rate=300
#   INCIDENTCTL_APPLY_FLAGS  flags for apply, such as approvals: --allow-delete --secrets-exec=./keep-token
#   GITHUB_TOKEN, GITLAB_TOKEN  for the comment and the issue; without one, nothing is posted to the forge
#
# It exits with the code of the command that failed.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
program=${INCIDENTCTL:-incidentctl}
environment=${INCIDENTCTL_ENVIRONMENT:+--env=$INCIDENTCTL_ENVIRONMENT}
flags="$environment ${INCIDENTCTL_FLAGS:-}"
reports=reports

say() {
  printf '%s\n' "$*" >&2
}

# Whether there is a forge and a token for it.
can_tell() {
  if [ -n "${GITHUB_ACTIONS:-}" ]; then
    [ -n "${GITHUB_TOKEN:-}" ]
  else
    [ -n "${GITLAB_CI:-}" ] && [ -n "${GITLAB_TOKEN:-}" ]
  fi
}

tell() {
  if can_tell; then
    node "$here/forge.mjs" "$@"
  else
    say "no forge, or no token for it: $1 is left out"
  fi
}

# Whether there is a token for the service; pipelines of forks have none.
can_ask() {
  case " $flags " in *" --emulator"*) return 0 ;; esac
  [ -n "${INCIDENTCTL_TOKEN:-}" ]
}

review() {
  mkdir -p "$reports"
  # shellcheck disable=SC2086
  $program validate $environment --report sarif="$reports/findings.sarif" --report junit="$reports/findings.xml"
  if [ -n "$(find . -name '*.test.yaml' -not -path '*/node_modules/*' -print)" ]; then
    # shellcheck disable=SC2086
    $program test --offline $environment --report junit="$reports/tests.xml"
  fi
  if ! can_ask; then
    say "no token here, as in the pipeline of a fork: nothing is planned"
    return 0
  fi
  # shellcheck disable=SC2086
  $program plan $flags --out "$reports/change.plan" \
    --report markdown="$reports/plan.md" --report html="$reports/plan.html" --report json="$reports/plan.json"
  tell comment "$reports/plan.md"
}

apply() {
  plan=${1:-}
  mkdir -p "$reports"
  if [ -n "$plan" ] && [ -f "$plan" ]; then
    code=0
    # shellcheck disable=SC2086
    $program apply --plan "$plan" --yes $flags ${INCIDENTCTL_APPLY_FLAGS:-} || code=$?
    [ "$code" -eq 5 ] || return "$code"
    say "the plan that was reviewed no longer holds, and nothing was written"
  else
    say "there is no plan that was reviewed"
  fi
  # The changes have not been reviewed, so they are planned and not applied.
  code=0
  # shellcheck disable=SC2086
  $program plan $flags --detailed-exitcode --out "$reports/change.plan" \
    --report markdown="$reports/plan.md" --report html="$reports/plan.html" --report json="$reports/plan.json" || code=$?
  [ "$code" -eq 2 ] || return "$code"
  say "review $reports/plan.md, then apply $reports/change.plan"
  return 5
}

drift() {
  mkdir -p "$reports"
  code=0
  # shellcheck disable=SC2086
  $program drift $flags --report markdown="$reports/drift.md" --report junit="$reports/drift.xml" \
    --report json="$reports/drift.json" || code=$?
  case $code in
    0) tell close "$reports/drift.md" ;;
    2)
      tell issue "$reports/drift.md"
      # The issue is the alarm. Without an issue, the exit code is.
      can_tell || return 2
      ;;
    *) return "$code" ;;
  esac
}

command=${1:-}
[ $# -eq 0 ] || shift
case $command in
  review) review ;;
  find) tell find "$@" ;;
  apply) apply "$@" ;;
  drift) drift ;;
  *)
    say "usage: sh $0 review | find | apply [PLAN] | drift"
    exit 64
    ;;
esac
