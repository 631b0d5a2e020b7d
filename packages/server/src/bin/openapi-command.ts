import { buildOpenApiDocument } from '@countersign/contract';
import { SERVER_VERSION } from '../app/version.js';

/** Prints the OpenAPI document. */
export function printOpenApiDocument(): void {
  process.stdout.write(`${JSON.stringify(buildOpenApiDocument({ version: SERVER_VERSION }), null, 2)}\n`);
}
