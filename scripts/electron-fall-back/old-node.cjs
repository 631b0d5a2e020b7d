// Defines the globals that the main process of the fallback Electron (Node 16) lacks. Only for tests: the application
// is built for the current Electron.
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

const missingGlobals = {
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
for (const [name, value] of Object.entries(missingGlobals)) globalThis[name] ??= value;
if (globalThis.crypto === undefined) Object.defineProperty(globalThis, 'crypto', { value: webcrypto });
