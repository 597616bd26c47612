/** The page of the figures, written from the records. */

import { type FiguresRecord, PARTS, type Part } from "./record.ts";

const DESCRIPTIONS: Readonly<Record<Part, string>> = {
  "fault runs":
    "Each fault of `test/faults/injection/fault.ts` at a request: resets, timeouts, error statuses, web pages, redirects, empty responses and those to other requests, before and after the service has carried the request out; writes that take effect late. Up to three faults in the first run, and others in the runs that recover. Time is virtual. Twenty-four scenarios and the example workspace",
  "raw runs":
    "Each fault of `test/faults/raw/` on real sockets, between the program's own HTTP client and the service, over plain HTTP, TLS, and the tunnels of an http and of an https proxy: resets, silence, garbage and plaintext in every phase of a connection; name lookups that change, certificates that are expired, foreign or self-signed; malformed, compressed and endless responses; odd headers; lists that lie. For each kind with a one-time token and for webhooks, at requests of each method. Two fifths of the runs have two faults",
  "bad disks":
    "The journal's disk is full after any byte, fails when it writes through, takes seven bytes at a time; the process stops dead before any call, with and without a power cut that takes what was not written through",
  kills:
    "A process gets SIGKILL before any of its steps, or while the service has its request. Then the next run recovers; some of those are killed as well",
  interleavings:
    "Two runs of one configuration from two folders take turns: orders of six writes each, and random orders of single requests",
  "cuts of a list": "A list through a TCP proxy that closes, resets or half-closes after k bytes; none may be believed",
  "lost responses to creations":
    "A creation takes effect and its response is lost. The details count the copies too many: by undici's RetryAgent with POST allowed, by a loop of three attempts around `fetch`, and by this program",
};

export function renderPage(records: readonly FiguresRecord[]): string {
  return `${[
    "# Figures of the fault harness",
    "`test/faults/` injects faults into runs of `apply` and checks every run by the same rules. This page is written by these tests and by nothing else: `RECORD_FIGURES=1` adds the figures of a run to `test/faults/figures/records.jsonl`, and writes this page from all records.",
    "```sh\nRECORD_FIGURES=1 CAMPAIGN_SEED=7 CAMPAIGN_RAW=600 npx vitest run test/faults/raw.long.test.ts\n```",
    "After every run the same checks must hold (`test/faults/checks/invariants.ts`): nothing is lost, duplicated or changed otherwise, compared with an undisturbed run; exit codes and messages match the result; every write is in the journal on the disk before its first byte; every one-time token is in the sink or revoked; no output, journal or file has a secret in any of ten encodings; incidents can be declared in every state in between; the run ends in time and stays within the rate limit. Raw runs also check that a server with a bad certificate gets no byte of a request, that no request arrives twice, and that a response takes at most 10 s and 256 MiB.",
    "## All recorded runs",
    table(
      ["Part", "Runs", "Violations", "Recorded"],
      PARTS.map((part) =>
        summary(
          part,
          records.filter((record) => record.part === part),
        ),
      ),
    ),
    "## What happens in each part",
    table(
      ["Part", "Faults"],
      PARTS.map((part) => [part, DESCRIPTIONS[part]]),
    ),
    "## Each record",
    "`+` after a commit: with changes that were not committed yet.",
    table(
      ["Date", "Commit", "Seed", "Part", "Runs", "Violations", "Seconds", "Details"],
      [...records].reverse().map(row),
    ),
    "To replay a violation, and to run the campaign, see [CONTRIBUTING.md](../CONTRIBUTING.md#when-a-run-with-faults-fails). How much of the planner the tests notice is in [mutation-figures.md](mutation-figures.md).",
  ].join("\n\n")}\n`;
}

function summary(part: Part, records: readonly FiguresRecord[]): readonly string[] {
  const sum = (of: (record: FiguresRecord) => number) => records.reduce((total, record) => total + of(record), 0);
  const days = [...new Set(records.map(({ at }) => at.slice(0, 10)))].sort();
  const span = days.length > 1 ? `${days[0]} to ${days.at(-1)}` : (days[0] ?? "not yet");
  return [part, count(sum(({ runs }) => runs)), count(sum(({ violations }) => violations)), span];
}

function row({ at, commit, seed, part, runs, violations, seconds, details = {} }: FiguresRecord): readonly string[] {
  const more = Object.entries(details).map(([name, value]) => `${name} ${count(value)}`);
  return [
    at.slice(0, 10),
    commit,
    String(seed),
    part,
    count(runs),
    count(violations),
    String(Math.round(seconds)),
    more.join(", "),
  ];
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}

function table(names: readonly string[], rows: readonly (readonly string[])[]): string {
  return [names, names.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
