// What current Electrons have in their main process and the fall-back, on Node 16, has not. It stands in for the platform in
// tests alone; the application is made for what Electron has today.
const { webcrypto } = require('node:crypto');
const streams = require('node:stream/web');
const { deserialize, serialize } = require('node:v8');
const undici = require('undici');

class PlatformException extends Error {
  constructor(message, name) {
    super(message);
    this.name = name;
  }
}

const missing = {
  ReadableStream: streams.ReadableStream,
  TransformStream: streams.TransformStream,
  FormData: undici.FormData,
  Headers: undici.Headers,
  Request: undici.Request,
  Response: undici.Response,
  DOMException: PlatformException,
  CryptoKey: webcrypto.CryptoKey,
  structuredClone: (value) => deserialize(serialize(value)),
};
for (const [name, value] of Object.entries(missing)) globalThis[name] ??= value;
if (globalThis.crypto === undefined) Object.defineProperty(globalThis, 'crypto', { value: webcrypto });
