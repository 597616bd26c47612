#!/bin/sh
# The commands of a pipeline. They need a POSIX shell and Node.
#
#   sh ci/incidentctl.sh check         validate the files and run the routing tests, without tokens
#   sh ci/incidentctl.sh plan          plan a change, and rehearse the plan
#   sh ci/incidentctl.sh review        check, plan, and post the plan in a comment
#   sh ci/incidentctl.sh find          find the reviewed plan
#   sh ci/incidentctl.sh apply [PLAN]  apply this plan; exit code 5 if it is stale, or if more changes need a review
#   sh ci/incidentctl.sh drift         keep one issue about the differences, and one while this check fails
#   sh ci/incidentctl.sh pull          keep one request with what people changed by hand
#
#   INCIDENTCTL              the program (incidentctl)
#   INCIDENTCTL_URL          the service, from the settings of the forge and not from the files; base_url must be the same
#   INCIDENTCTL_TOKEN, INCIDENTCTL_ADMIN_TOKEN
#   INCIDENTCTL_ENVIRONMENT  environment in the settings; the program reads it
#   INCIDENTCTL_UNIT         name of the environment and directory in comments
#   INCIDENTCTL_REPORTS      folder for reports (reports)
#   INCIDENTCTL_FLAGS        more flags for every command that connects to the service: --rate=300
#   INCIDENTCTL_PLAN_FLAGS   flags for plan in a review: --fail-on=blocked
#   INCIDENTCTL_APPLY_FLAGS  flags for apply, such as approvals: --allow-delete --secrets-exec=./keep-token
#   INCIDENTCTL_FINGERPRINT  fingerprint that the plan to apply must have
#   GITHUB_TOKEN, GITLAB_TOKEN  for the comment and the issue; without one, nothing is posted to the forge
#
# It exits with the code of the command that failed.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
program=${INCIDENTCTL:-incidentctl}
flags=${INCIDENTCTL_FLAGS:-}
reports=${INCIDENTCTL_REPORTS:-reports}

say() {
  printf '%s\n' "$*" >&2
}

# The repository must not have what a pipeline writes: a link there would lead its output elsewhere, and its files would count as reports.
refuse_planted() {
  for path in "$@"; do
    tracked=$(git ls-files -- "$path" 2>/dev/null || :)
    others=
    [ ! -d "$path" ] || others=$(find "$path" ! -type f ! -type d -print)
    if [ -L "$path" ] || [ -n "$tracked" ] || [ -n "$others" ]; then
      say "$path is in the repository, or has links: pipelines write there, so nothing is run. Delete it, or set INCIDENTCTL_REPORTS."
      exit 1
    fi
  done
}

refuse_planted "$reports" .incidentctl
# In GitLab each unit has a folder in this one, all of which becomes an artifact.
[ -z "${GITLAB_CI:-}" ] || refuse_planted "$CI_PROJECT_DIR/reports"
mkdir -p "$reports"

# Runs a command. Its output goes to the log and to $reports/NAME.log, its exit code to $reports/results: "NAME CODE".
run() {
  name=$1
  shift
  {
    code=0
    "$@" 2>&1 || code=$?
    result "$name" "$code"
  } | tee "$reports/$name.log"
  return "$(sed -n "s/^$name //p" "$reports/results" | tail -n 1)"
}

result() {
  printf '%s\n' "${INCIDENTCTL_UNIT:-workspace}" >"$reports/unit"
  printf '%s %s\n' "$1" "$2" >>"$reports/results"
}

# True if there is a forge, and a token for it.
has_forge() {
  if [ -n "${GITHUB_ACTIONS:-}" ]; then
    [ -n "${GITHUB_TOKEN:-}" ]
  else
    [ -n "${GITLAB_CI:-}" ] && [ -n "${GITLAB_TOKEN:-}" ]
  fi
}

forge() {
  if has_forge; then
    node "$here/forge.mjs" "$@"
  else
    say "no forge, or no token for it: $1 is left out"
  fi
}

# True if there is a token for the service. Pipelines of forks have none.
# A token is sent only to the address that the forge knows: files could name another one.
has_service() {
  case " $flags " in *" --emulator"*) return 0 ;; esac
  [ -n "${INCIDENTCTL_TOKEN:-}" ] || return 1
  [ -n "${INCIDENTCTL_URL:-}" ] && return 0
  say "INCIDENTCTL_URL is not set: set it in the variables of the forge"
  result plan 64
  exit 64
}

# In a subshell without tokens: the files of a change decide what is read and evaluated here.
check() (
  unset INCIDENTCTL_TOKEN INCIDENTCTL_ADMIN_TOKEN GITHUB_TOKEN GITLAB_TOKEN
  # shellcheck disable=SC2086
  run validate $program validate --report sarif="$reports/findings.sarif" --report junit="$reports/findings.xml" ||
    return
  if [ -n "$(find . -name '*.test.yaml' -not -path '*/node_modules/*' -print)" ]; then
    # shellcheck disable=SC2086
    run test $program test --offline --report junit="$reports/tests.xml"
  fi
)

plan() {
  if ! has_service; then
    say "no token here, as in the pipeline of a fork: nothing is planned"
    result plan none
    return 0
  fi
  admin=--without-admin
  [ -z "${INCIDENTCTL_ADMIN_TOKEN:-}" ] || admin=
  # shellcheck disable=SC2086
  code=0
  run plan $program plan $flags $admin ${INCIDENTCTL_PLAN_FLAGS:-} --out "$reports/change.plan" \
    --report markdown="$reports/plan.md" --report html="$reports/plan.html" --report json="$reports/plan.json" ||
    code=$?
  # 3: apply would refuse the plan.
  case $code in
  0 | 3) if grep -qs '^  "changes": \[$' "$reports/plan.json"; then rehearse; fi ;;
  esac
  return "$code"
}

# The comment says what it finds. It does not fail the check: an approval of the apply may be all that is missing.
rehearse() {
  # shellcheck disable=SC2086
  run rehearse $program rehearse $flags $admin --report markdown="$reports/rehearsal.md" || :
}

review() {
  code=0
  check && plan || code=$?
  forge comment review "$reports"
  return "$code"
}

apply() {
  plan=${1:-}
  if ! has_service; then
    say "INCIDENTCTL_TOKEN is not set"
    result apply 6
    return 6
  fi
  # An artifact keeps no permissions, and a journal that others can read is refused.
  [ ! -d .incidentctl ] || chmod -R go= .incidentctl
  if [ -n "$plan" ] && [ -f "$plan" ]; then
    outcome=0
    apply_plan "$plan" || outcome=$?
    case $outcome in
      0) [ -z "${GITHUB_OUTPUT:-}" ] || echo "applied=true" >>"$GITHUB_OUTPUT" ;;
      5) say "the reviewed plan no longer holds, and nothing was written" ;;
      *) return "$outcome" ;;
    esac
  elif [ -n "${INCIDENTCTL_FINGERPRINT:-}" ]; then
    say "there is no plan with the fingerprint $INCIDENTCTL_FINGERPRINT"
    result apply 5
    return 5
  else
    say "there is no reviewed plan"
  fi
  propose || return
  # A person has named a plan, and it was not applied.
  [ -z "${INCIDENTCTL_FINGERPRINT:-}" ] || return "$outcome"
}

# Applies a saved plan. It also holds if only other resources have changed: the same files, changes and requests have its fingerprint.
apply_plan() {
  # A plan that undoes a run is made from the journal and not from the reviewed files.
  if grep -q '^  "undoes"' "$1"; then
    say "$1 undoes an earlier run: it is not a plan of these files"
    result apply 5
    return 5
  fi
  fingerprint=${INCIDENTCTL_FINGERPRINT:-$(node -p 'JSON.parse(fs.readFileSync(process.argv[1])).seal.fingerprint' "$1")}
  admin=
  grep -q '^  "partial"' "$1" && admin=--without-admin
  set -- "$1" --expect-plan="$fingerprint" --yes --report markdown="$reports/apply.md"
  first=0
  # shellcheck disable=SC2086
  run apply $program apply --plan "$@" $flags ${INCIDENTCTL_APPLY_FLAGS:-} || first=$?
  [ "$first" -eq 5 ] || return "$first"
  # A plan that is stale may hold by its fingerprint. A file that is no plan, or a damaged one, could name any.
  $program show "$1" >/dev/null 2>&1 || return "$first"
  shift
  # shellcheck disable=SC2086
  run apply $program apply "$@" $admin $flags ${INCIDENTCTL_APPLY_FLAGS:-}
}

# What remains to be changed was not reviewed. It is planned and not applied.
propose() {
  code=0
  # shellcheck disable=SC2086
  run propose $program plan $flags --detailed-exitcode --out "$reports/proposal.plan" \
    --report markdown="$reports/proposal.md" --report html="$reports/proposal.html" \
    --report json="$reports/proposal.json" || code=$?
  [ "$code" -ne 0 ] || rm -f "$reports"/proposal.*
  [ "$code" -eq 2 ] || return "$code"
  say "review $reports/proposal.md, then apply $reports/proposal.plan"
  return 5
}

# The issue is the alarm for drift. Without an issue, the exit code is. A check that fails has both.
drift() {
  code=0
  # shellcheck disable=SC2086
  run drift $program drift $flags --report markdown="$reports/drift.md" --report junit="$reports/drift.xml" \
    --report json="$reports/drift.json" || code=$?
  if has_forge; then
    if forge drift "$reports"; then
      [ "$code" -ne 2 ] || code=0
      return "$code"
    fi
    say "the issue could not be written"
    [ "$code" -ne 0 ] || code=1
  fi
  [ "$code" -eq 0 ] || echo "The drift check of ${INCIDENTCTL_UNIT:-workspace} ended with exit code $code." >"$reports/news"
  return "$code"
}

# Exit code 7: some values were not pulled. The request has the others, and says which.
pull() {
  code=0
  # shellcheck disable=SC2086
  run pull $program pull $flags || code=$?
  case $code in
    0 | 7) forge pull "$reports" || return ;;
  esac
  return "$code"
}

# What later steps read: outputs of the step, and reports for GitLab.
outputs() {
  case $1 in
    check | plan | review | apply | drift) node "$here/outputs.mjs" "$1" "$reports" || say "no outputs" ;;
  esac
}

# On GitHub, an annotation and a line of the summary for a command that failed.
annotate() {
  [ -n "${GITHUB_ACTIONS:-}" ] && [ "$2" -ne 0 ] || return 0
  case $2 in
    3) why="An approval is missing, or a resource is protected. Nothing was written." ;;
    4) why="Partly applied, or the result is unknown. The journal says which." ;;
    5) why="The changes were not reviewed, or no longer are as reviewed. They are not applied." ;;
    6) why="Authentication or permission error." ;;
    7) why="A check failed." ;;
    *) why="Exit code $2." ;;
  esac
  echo "::error title=incidentctl $1 (${INCIDENTCTL_UNIT:-workspace})::$why"
  printf '\n❌ **incidentctl %s** (%s): %s\n' "$1" "${INCIDENTCTL_UNIT:-workspace}" "$why" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
}

command=${1:-}
[ $# -eq 0 ] || shift
trap 'code=$?; outputs "$command"; annotate "$command" "$code"' EXIT
case $command in
  check) check ;;
  plan) plan ;;
  review) review ;;
  find) run find forge find ;;
  apply) apply "$@" ;;
  drift) drift ;;
  pull) pull ;;
  *)
    say "usage: sh $0 check | plan | review | find | apply [PLAN] | drift | pull"
    exit 64
    ;;
esac
