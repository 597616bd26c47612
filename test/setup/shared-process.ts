/** Runs with every test file that shares its process, and restores process-wide state after it. */

import { getGlobalDispatcher, setGlobalDispatcher } from "undici";
import { afterAll, afterEach, expect } from "vitest";
import { observeResponses, takeProblems } from "../support/openapi/observed-responses.ts";

const before = { directory: process.cwd(), environment: { ...process.env }, fetch, dispatcher: getGlobalDispatcher() };

observeResponses();

afterEach(() => {
  expect(takeProblems(), "every response of an emulator is as its OpenAPI document says").toEqual([]);
});

afterAll(() => {
  expect(process.cwd()).toBe(before.directory);
  expect({ ...process.env }).toEqual(before.environment);
  expect(fetch === before.fetch, "fetch is the one there was").toBe(true);
  expect(Object.keys(Object.prototype)).toEqual([]);
  // A command with a session sets the dispatcher of the whole process.
  setGlobalDispatcher(before.dispatcher);
});
