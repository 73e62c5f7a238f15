// The server: what it is asked, and what it tells by itself.

import { texts } from "./texts.js";

/** Returns a function that asks the server for JSON, with the token of a link. */
export function asker(token) {
  return async function ask(path, body) {
    const headers = { "x-token": token };
    const options = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
    let response;
    try {
      response = await fetch(path, options);
    } catch {
      throw new Error(texts.noServer);
    }
    const text = await response.text();
    let data = null;
    try {
      data = JSON.parse(text);
    } catch {
      throw new Error(text.slice(0, 300) || texts.noServer);
    }
    if (!response.ok) {
      const error = new Error(data.error || texts.noServer);
      error.status = response.status;
      throw error;
    }
    return data;
  };
}

/**
 * Listens to server-sent events. EventSource cannot send the token in a header, so this reads the
 * stream itself. It ends when the server does, or by `signal`.
 */
export async function listen(path, token, signal, heard) {
  const response = await fetch(path, { headers: { "x-token": token }, signal });
  if (!response.ok) {
    const error = new Error((await response.json().catch(() => ({}))).error || texts.noServer);
    error.status = response.status;
    throw error;
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = (rest + value).split("\n\n");
    rest = events.pop();
    for (const event of events) {
      if (event.startsWith("data: ")) heard(JSON.parse(event.slice(6)));
    }
  }
}
