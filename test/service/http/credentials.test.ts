import { describe, expect, it } from "vitest";
import { checkedToken, RefusedConnection, trustedOrigin } from "../../../src/service/http/credentials.ts";

describe("the base URL", () => {
  it.each([
    ["https://incidents.example.com", "https://incidents.example.com"],
    ["https://incidents.example.com/", "https://incidents.example.com"],
    ["HTTPS://Incidents.Example.com", "https://incidents.example.com"],
    ["https://incidents.example.com:443", "https://incidents.example.com"],
    ["https://incidents.example.com:8443", "https://incidents.example.com:8443"],
    ["http://localhost:8080", "http://localhost:8080"],
    ["http://127.0.0.1", "http://127.0.0.1"],
    ["http://127.0.0.1:80", "http://127.0.0.1"],
    ["http://127.9.8.7:1", "http://127.9.8.7:1"],
    ["http://[::1]:3000/", "http://[::1]:3000"],
  ])("normalizes %s to %s", (text, origin) => {
    expect(trustedOrigin(text)).toBe(origin);
  });

  it.each([
    ["", "not a URL"],
    ["incidents.example.com", "not a URL"],
    ["ftp://incidents.example.com", "must be https"],
    ["file:///etc/passwd", "must be https"],
    ["javascript:alert(1)", "must be https"],
    ["http://incidents.example.com", "plain http"],
    ["http://10.0.0.1", "plain http"],
    ["http://128.0.0.1", "plain http"],
    ["http://[::2]", "plain http"],
    ["http://localhost.example.com", "plain http"],
    ["http://127.0.0.1.example.com", "plain http"],
    ["https://user@incidents.example.com", "user name or password"],
    ["https://user:secret@incidents.example.com", "user name or password"],
    ["https://incidents.example.com@evil.example", "user name or password"],
    ["https://incidents.example.com?a=b", "scheme, host and port only"],
    ["https://incidents.example.com?", "scheme, host and port only"],
    ["https://incidents.example.com#a", "scheme, host and port only"],
    ["https://incidents.example.com/api/v1", "scheme, host and port only"],
    ["https://incidents.example.com/..", "scheme, host and port only"],
    ["https://incidents.example.com/%2e", "scheme, host and port only"],
    ["https:\\\\incidents.example.com", "scheme, host and port only"],
    ["https:incidents.example.com", "scheme, host and port only"],
    [" https://incidents.example.com", "scheme, host and port only"],
    ["https://inci\tdents.example.com", "scheme, host and port only"],
    ["https://bücher.example", "scheme, host and port only"],
    ["http://127.1", "scheme, host and port only"],
    ["http://0x7f.1", "scheme, host and port only"],
    ["http://2130706433", "scheme, host and port only"],
    ["http://[0:0:0:0:0:0:0:1]", "scheme, host and port only"],
    ["https://incidents.example.com.", "cannot be compared safely"],
    ["https://incidents.example.com:0", "cannot be compared safely"],
  ])("refuses %j: %s", (text, why) => {
    expect(() => trustedOrigin(text)).toThrow(RefusedConnection);
    expect(() => trustedOrigin(text)).toThrow(why);
  });

  it("never prints a password", () => {
    expect(() => trustedOrigin("https://user:hunter2@incidents.example.com")).toThrow(/^(?!.*hunter2)/);
  });
});

describe("a token", () => {
  it("is used as it is", () => {
    expect(checkedToken("ff_0123456789abcdef", "INCIDENTCTL_TOKEN")).toBe("ff_0123456789abcdef");
  });

  it.each([
    ["", "is empty"],
    ["ff_canary\nx", "white space"],
    ["ff_canary\r\n", "white space"],
    [" ff_canary", "white space"],
    ["ff_canary x", "white space"],
    ["ff_canäry", "outside ASCII"],
    ["ff_canary\u0000", "white space"],
    ["Bearer ff_canary", 'without "Bearer "'],
    ["bearer\tff_canary", 'without "Bearer "'],
    ['"ff_canary"', "quotation marks"],
    ["ff_canary'", "quotation marks"],
    [`ff_canary${"x".repeat(4096)}`, "longer than 4096"],
  ])("is refused without being printed: case %#", (token, why) => {
    expect(() => checkedToken(token, "INCIDENTCTL_TOKEN")).toThrow(RefusedConnection);
    expect(() => checkedToken(token, "INCIDENTCTL_TOKEN")).toThrow(why);
    expect(() => checkedToken(token, "INCIDENTCTL_TOKEN")).toThrow(/^INCIDENTCTL_TOKEN (?!.*ff_can)/);
  });
});
