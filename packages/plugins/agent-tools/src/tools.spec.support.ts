import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { RunArtifacts, ToolCall, ToolContribution } from '@countersign/core/plugin';
import type { ArtifactRecord } from '@countersign/model';

/** In-memory artifacts of one run. */
export class InMemoryArtifacts implements RunArtifacts {
  readonly #versions: { readonly record: ArtifactRecord; readonly bytes: Buffer }[] = [];

  async list(): Promise<readonly ArtifactRecord[]> {
    return [...new Map(this.#versions.map(({ record }) => [record.name, record])).values()];
  }

  async read(name: string, version?: number) {
    const found = this.#versions.findLast(
      ({ record }) => record.name === name && (version === undefined || record.version === version),
    );
    return found && { record: found.record, content: Readable.from(splitIntoChunks(found.bytes)) };
  }

  async put(name: string, content: Readable | Buffer | string, contentType: string): Promise<ArtifactRecord> {
    if (content instanceof Readable) throw new Error('tools store bytes or a string, not a stream');
    const bytes = Buffer.from(content as string);
    const version = this.#versions.filter(({ record }) => record.name === name).length + 1;
    const record = {
      artifactId: `${name}-${version}`,
      name,
      version,
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      contentType,
      createdAt: 0,
      createdBy: 'ada',
    };
    this.#versions.push({ record, bytes });
    return record;
  }
}

/** Yields chunks that split multi-byte characters. */
function* splitIntoChunks(bytes: Buffer): Generator<Buffer> {
  for (let offset = 0; offset < bytes.length; offset += 3) yield bytes.subarray(offset, offset + 3);
}

/** Calls a tool as the runtime does: with arguments that its schema has accepted. */
export function callTool<Content>(
  tool: ToolContribution,
  args: object,
  overrides: Partial<ToolCall> = {},
): Promise<{ readonly content: Content; readonly taint?: readonly string[] }> {
  const call: ToolCall = {
    idempotencyKey: 'call-1',
    runId: 'run',
    workflowId: 'workflow',
    elementId: 'task',
    stepId: 'step',
    agentName: 'clerk',
    attempt: 1,
    signal: new AbortController().signal,
    variables: {},
    inputs: {},
    taints: {},
    artifacts: new InMemoryArtifacts(),
    ...overrides,
  };
  return tool.call(tool.input.parse(args), call) as Promise<{ content: Content; taint?: readonly string[] }>;
}

/** Returns the error with which a call is refused. */
export async function captureError(work: Promise<unknown>): Promise<unknown> {
  const result: unknown = await work.then(
    () => 'done',
    (error: unknown) => error,
  );
  if (result === 'done') throw new Error('The call was not refused.');
  return result;
}
