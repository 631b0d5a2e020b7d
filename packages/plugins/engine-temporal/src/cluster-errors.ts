import { status } from '@grpc/grpc-js';

/** Thrown if a cluster limits the requests of this server, so that one could not be made in time. */
export class ClusterLimitError extends Error {
  readonly code = status.RESOURCE_EXHAUSTED;

  constructor() {
    super('the cluster limits the requests of this server');
  }
}

/** Codes of gRPC whose cause is probably not the content of the request. */
const CODES_OF_ALL_REQUESTS: ReadonlySet<number> = new Set([
  status.UNAVAILABLE,
  status.DEADLINE_EXCEEDED,
  status.RESOURCE_EXHAUSTED,
  status.UNAUTHENTICATED,
  status.PERMISSION_DENIED,
  status.UNIMPLEMENTED,
  // The namespace does not exist.
  status.NOT_FOUND,
]);

/** Returns whether other requests will probably fail as well, unlike with a fault of this request or its workflow. */
export function isClusterFailure(error: unknown): boolean {
  const { code } = readError(error);
  return code === undefined || CODES_OF_ALL_REQUESTS.has(code);
}

/** Returns whether a request was repeated until its deadline. */
export function isDeadlineExceeded(error: unknown): boolean {
  return readError(error).code === status.DEADLINE_EXCEEDED;
}

/** Returns whether a request failed because the cluster did not respond. */
export function isUnreachable(error: unknown): boolean {
  const { code } = readError(error);
  return code === undefined || code === status.UNAVAILABLE || code === status.DEADLINE_EXCEEDED;
}

/**
 * Describes for operators why a cluster cannot be used, and what to do.
 *
 * @param error error of the SDK
 */
export function describeProblem(
  error: unknown,
  { address, namespace }: { readonly address: string; readonly namespace: string },
): string {
  const cluster = `The Temporal cluster at ${address}`;
  const { code, text } = readError(error);
  if (code === status.NOT_FOUND || /namespace .*not found/i.test(text))
    return `${cluster} has no namespace "${namespace}". Create it (temporal operator namespace create -n ${namespace}), or set Engine:Temporal:Namespace.`;
  if (code === status.UNAUTHENTICATED || code === status.PERMISSION_DENIED || /unauthorized|permission/i.test(text))
    return `${cluster} refuses the credentials of this server. Check Engine:Temporal:ApiKey and Engine:Temporal:Tls.`;
  if (code === status.RESOURCE_EXHAUSTED) return `${cluster} limits the requests of this server. They are repeated.`;
  if (code === status.UNIMPLEMENTED)
    return `${cluster} lacks a function that this server needs. Use version 1.28 of Temporal or newer.`;
  return `${cluster} does not respond. Check Engine:Temporal:Address and Engine:Temporal:Tls.`;
}

/** Returns the innermost gRPC code of an error, and all its messages. */
function readError(error: unknown): { readonly code: number | undefined; readonly text: string } {
  let code: number | undefined;
  const messages: string[] = [];
  let current = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    if ('code' in current && typeof current.code === 'number') code = current.code;
    messages.push(current.message);
    current = current.cause;
  }
  return { code, text: messages.join(' ') };
}
