import diagnostics from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { buildOpenApiDocument } from '@countersign/contract';
import { dereference, validate, type Schema } from '@cfworker/json-schema';

/** Larger bodies are not validated here: dedicated specs compare them with the document. */
const MAX_BODY_BYTES = 262_144;
const MAX_FINDINGS = 20;

/**
 * Statuses that a path may return for a method that it does not support, if the document lists them for any of its
 * methods.
 */
const METHOD_INDEPENDENT_STATUSES: ReadonlySet<number> = new Set([404, 405, 421]);

interface OperationObject {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >;
}

interface DocumentedPath {
  readonly path: string;
  readonly pattern: RegExp;
  readonly operations: Readonly<Record<string, OperationObject>>;
}

/** OpenAPI document as a client reads it, prepared for validation. */
class ApiDocument {
  readonly #paths: readonly DocumentedPath[];
  readonly #schemas: Record<string, Schema | boolean>;

  constructor() {
    const document = JSON.parse(JSON.stringify(buildOpenApiDocument({ version: '0.0.0' }))) as {
      paths: Record<string, Record<string, OperationObject>>;
    };
    this.#schemas = dereference(document as Schema);
    this.#paths = Object.entries(document.paths)
      .map(([path, operations]) => ({
        path,
        operations,
        pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
      }))
      // A literal path takes precedence over one with a parameter.
      .sort((a, b) => a.path.split('{').length - b.path.split('{').length);
  }

  /**
   * Describes the difference between a response and the document. Returns `undefined` if the response matches or the
   * path is not documented.
   */
  findMismatch(
    method: string,
    path: string,
    status: number,
    contentType: string,
    body: string | undefined,
  ): string | undefined {
    const documentedPath = this.#paths.find(({ pattern }) => pattern.test(path));
    if (documentedPath === undefined || method === 'OPTIONS') return undefined;
    const operation =
      documentedPath.operations[method === 'HEAD' ? 'get' : method.toLowerCase()] ??
      (METHOD_INDEPENDENT_STATUSES.has(status) ? Object.values(documentedPath.operations)[0] : undefined);
    if (operation === undefined)
      return `${method} ${documentedPath.path} is not in the OpenAPI document, but the server responded with ${status}.`;
    const location = `${method} ${documentedPath.path} ${status}`;
    const response = operation.responses[status];
    if (response === undefined) return `${location} is not in the OpenAPI document.`;
    const type = contentType.split(';', 1)[0] ?? '';
    if (type === '') return undefined;
    const mediaType = response.content?.[type];
    // Bytes of any type, including those of an uploaded JSON document.
    if (mediaType === undefined && response.content?.['*/*'] !== undefined) return undefined;
    if (mediaType === undefined)
      return `${location} has the content type ${type}, which is not in the OpenAPI document.`;
    if (
      body === undefined ||
      body === '' ||
      mediaType.schema === undefined ||
      !/^application\/(problem\+)?json$/.test(type)
    )
      return undefined;
    const { valid, errors } = validate(JSON.parse(body), mediaType.schema, '2020-12', this.#schemas);
    return valid
      ? undefined
      : `${location}: ${errors
          .slice(-3)
          .map(({ instanceLocation, error }) => `${instanceLocation} ${error}`)
          .join(' ')}`;
  }
}

function decode(body: Buffer, encoding: unknown): string {
  const decompress = encoding === 'br' ? brotliDecompressSync : encoding === 'gzip' ? gunzipSync : undefined;
  // A response to HEAD has the headers of the body, but no body.
  return (decompress === undefined || body.length === 0 ? body : decompress(body)).toString('utf8');
}

let apiDocument: ApiDocument | undefined;

/** Compares every response of a server with the OpenAPI document, regardless of the client. */
export class ResponseValidator {
  readonly #findings = new Set<string>();
  readonly #port: number;
  readonly #watch = (message: unknown): void => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if ((request.socket.address() as Partial<AddressInfo>).port === this.#port) this.#record(request, response);
  };

  constructor(url: string) {
    this.#port = Number(new URL(url).port);
    diagnostics.subscribe('http.server.request.start', this.#watch);
  }

  /** @throws {Error} if a response did not match the document */
  stop(): void {
    diagnostics.unsubscribe('http.server.request.start', this.#watch);
    if (this.#findings.size > 0)
      throw new Error(`Responses that the OpenAPI document does not allow:\n${[...this.#findings].join('\n')}`);
  }

  #record({ method = '', url = '' }: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    let size = 0;
    const collectChunk = (chunk: unknown): void => {
      if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(Buffer.from(chunk as string));
    };
    const { write, end } = response;
    response.write = ((...args: Parameters<typeof write>) => (
      collectChunk(args[0]),
      write.apply(response, args)
    )) as typeof write;
    response.end = ((...args: Parameters<typeof end>) => (
      collectChunk(args[0]),
      end.apply(response, args)
    )) as typeof end;
    response.once('finish', () =>
      this.#check(
        method,
        url.split('?', 1)[0] ?? '',
        response,
        size <= MAX_BODY_BYTES ? decode(Buffer.concat(chunks), response.getHeader('content-encoding')) : undefined,
      ),
    );
  }

  #check(method: string, path: string, response: ServerResponse, body: string | undefined): void {
    if (this.#findings.size >= MAX_FINDINGS) return;
    const contentType = response.getHeader('content-type');
    const finding = (apiDocument ??= new ApiDocument()).findMismatch(
      method,
      path,
      response.statusCode,
      typeof contentType === 'string' ? contentType : '',
      body,
    );
    if (finding !== undefined) this.#findings.add(finding);
  }
}
