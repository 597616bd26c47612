/** Refusals of webhooks. */

import type { Refusal } from "../refusal.ts";

const WEBHOOKS = "wire 2.11";

export const WEBHOOK_FIELDS: readonly Refusal[] = [
  {
    rule: "A webhook has a name.",
    source: WEBHOOKS,
    files: "webhooks:\n  - { url: 'https://example.com/' } # here\n",
    address: "webhooks",
    request: ["POST", "/webhooks", { url: "https://example.com/" }],
    status: 400,
    reason: "name",
    caught: "validate",
    code: "E_REQUIRED",
  },
  {
    rule: "The name of a webhook is not blank.",
    source: WEBHOOKS,
    files: "webhooks:\n  - { name: ' ', url: 'https://example.com/' } # here\n",
    address: "webhooks",
    request: ["POST", "/webhooks", { name: " ", url: "https://example.com/" }],
    status: 422,
    reason: "name can't be blank",
    caught: "validate",
    code: "E_EMPTY_STRING",
  },
  {
    rule: "A webhook needs a URL when it is created.",
    source: WEBHOOKS,
    files: "webhooks:\n  - { name: pager } # here\n",
    address: "webhooks/pager",
    request: ["POST", "/webhooks", { name: "pager" }],
    status: 400,
    reason: "url",
    caught: "plan",
    code: "E_REQUIRED",
  },
  {
    rule: "The URL of a webhook is not null when it is created.",
    source: WEBHOOKS,
    files: "webhooks:\n  - name: pager\n    url: null # here\n",
    address: "webhooks/pager",
    request: ["POST", "/webhooks", { name: "pager", url: null }],
    status: 400,
    reason: "url",
    caught: "validate",
    code: "E_NULL",
  },
  {
    rule: "The URL of a webhook is an http or https address.",
    source: WEBHOOKS,
    files: "webhooks:\n  - name: pager\n    url: ftp://example.com/ # here\n",
    address: "webhooks/pager",
    request: ["POST", "/webhooks", { name: "pager", url: "ftp://example.com/" }],
    status: 422,
    reason: "url must be an http or https address",
    caught: "validate",
    code: "E_URL",
  },
];
