/**
 * A stand-in on loopback for the Management API that auth0-deploy-cli needs to preview a tenant's applications: one paginated list, and
 * empty ones. Writes the tenant's file, the settings and the certificate to trust to a folder, prints one line of JSON when it
 * is ready, and ends with its standard input.
 *
 *     node management-api.js ENTRIES CHANGED FOLDER
 */

import { writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { authority } from "../../test/support/service/certificates.ts";

const [entries = "20", changed = "0", folder = "."] = process.argv.slice(2);
const applications = Array.from({ length: Number(entries) }, (_, at) => ({
  client_id: `id${at}`,
  name: `application ${at}`,
  description: `Application number ${at} of many`,
  app_type: "spa",
  callbacks: [`https://application-${at}.example.com/callback`],
  is_first_party: true,
  global: false,
}));

/** The response to a GET of this path. */
function answer(address: URL): object {
  const name = address.pathname.split("/").at(-1) ?? "";
  const start = Number(address.searchParams.get("page") ?? 0) * Number(address.searchParams.get("per_page") ?? 50);
  const limit = Number(address.searchParams.get("per_page") ?? 50);
  const rows = name === "clients" ? applications.slice(start, start + limit) : [];
  const total = name === "clients" ? applications.length : 0;
  return { start, limit, length: rows.length, total, [name.replaceAll("-", "_")]: rows };
}

const trusted = authority("benchmark");
const server = createServer(trusted.issue({ names: ["localhost"] }), (incoming, outgoing) => {
  const body = JSON.stringify(answer(new URL(incoming.url ?? "/", "https://localhost")));
  outgoing.writeHead(200, { "content-type": "application/json" }).end(body);
});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  const settings = {
    AUTH0_DOMAIN: `localhost:${port}`,
    AUTH0_ACCESS_TOKEN: "token",
    AUTH0_ALLOW_DELETE: false,
    AUTH0_INCLUDED_ONLY: ["clients"],
  };
  writeFileSync(join(folder, "settings.json"), JSON.stringify(settings));
  writeFileSync(join(folder, "certificate.pem"), trusted.cert);
  writeFileSync(join(folder, "tenant.yaml"), `clients:\n${applications.map(declared).join("")}`);
  process.stdout.write(`${JSON.stringify({ url: `https://localhost:${port}` })}\n`);
});
process.stdin.resume().once("end", () => {
  server.closeAllConnections();
  server.close();
});

function declared({ name, description, callbacks }: (typeof applications)[number], at: number): string {
  const told = at < Number(changed) ? `${description}, changed` : description;
  return `  - name: ${name}\n    description: ${told}\n    app_type: spa\n    callbacks: [${callbacks.join(", ")}]\n`;
}
