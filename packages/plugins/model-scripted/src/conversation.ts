import type { Json, ModelRequest, ModelToolResult } from '@countersign/core/plugin';
import { isJsonObject, unescapePointer } from '@countersign/model';
import { findDataBlock, findEmbeddedObject, parseJsonOr } from './embedded-json.js';

export interface NamedToolResult extends ModelToolResult {
  /** Tool name used in the call. */
  readonly tool: string;
}

/** The content of a request, as scripts refer to it. Depends only on the request. */
export class Conversation {
  /** Number of the turn, from 1. */
  readonly turn: number;
  /** Results of the last turn; empty if the last message is not a result. */
  readonly lastResults: readonly NamedToolResult[];
  private readonly results: readonly NamedToolResult[];

  constructor(readonly request: ModelRequest) {
    const { messages } = request;
    this.turn = messages.filter(({ role }) => role === 'assistant').length + 1;
    const tools = new Map(this.listCalls().map(({ id, name }) => [id, name]));
    const withToolNames = (results: readonly ModelToolResult[]) =>
      results.map((result) => ({ ...result, tool: tools.get(result.callId) ?? '' }));
    this.results = messages.flatMap((message) => (message.role === 'tool' ? withToolNames(message.results) : []));
    const last = messages.at(-1);
    this.lastResults = last?.role === 'tool' ? withToolNames(last.results) : [];
  }

  /** Returns the texts of the user messages, without tool results. */
  listPrompts(): readonly string[] {
    return this.request.messages.flatMap((message) => (message.role === 'user' ? [message.text] : []));
  }

  /** Returns all texts that the language model received, in order, without its own messages. */
  listReceivedTexts(): readonly string[] {
    const { system, tools, messages } = this.request;
    const messageTexts = messages.flatMap((message) =>
      message.role === 'user'
        ? [message.text]
        : message.role === 'tool'
          ? message.results.map(({ content }) => content)
          : [],
    );
    return [
      system,
      ...tools.flatMap(({ description, inputSchema }) => [description, JSON.stringify(inputSchema)]),
      ...messageTexts,
    ];
  }

  /** Returns the calls that the model has proposed so far. */
  listCalls() {
    return this.request.messages.flatMap((message) => (message.role === 'assistant' ? message.calls : []));
  }

  /**
   * Returns the value at a path: a root (`inputs` of the step, `result`: the newest result, `results/<tool>`: the last
   * result of a tool, `text`: the last user message, `shown`: everything that the language model received) followed by
   * a JSON Pointer (RFC 6901).
   * Returns `undefined` if there is no value.
   */
  valueAt(reference: string): Json | undefined {
    const [root, ...path] = reference.split('/').map(unescapePointer);
    switch (root) {
      case 'inputs':
        return valueAtPath(parseInputs(this.listPrompts()[0] ?? ''), path);
      case 'result':
        return valueAtPath(parseContent(this.lastResults.at(-1)), path);
      case 'results':
        return valueAtPath(
          parseContent(this.results.findLast(({ tool }) => isSameTool(tool, path[0] ?? ''))),
          path.slice(1),
        );
      case 'text':
        return valueAtPath(this.listPrompts().at(-1), path);
      case 'shown':
        return valueAtPath(this.listReceivedTexts().join('\n'), path);
      default:
        return undefined;
    }
  }
}

/**
 * Returns whether two names denote the same tool. Agent definitions use dots (`artifact.read`), language models
 * underscores (`artifact_read`).
 */
export function isSameTool(left: string, right: string): boolean {
  return left === right || normalizeName(left) === normalizeName(right);
}

function normalizeName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]+/g, '_');
}

function parseContent(result: NamedToolResult | undefined): Json | undefined {
  if (result === undefined) return undefined;
  const content = findDataBlock(result.content) ?? result.content;
  return parseJsonOr(content, () => content);
}

/** Returns the content marked as inputs; without a mark, the first JSON object. */
function parseInputs(message: string): Json | undefined {
  const marked = findDataBlock(message, 'inputs');
  return marked === undefined ? findEmbeddedObject(message) : parseJsonOr(marked, () => marked);
}

function valueAtPath(value: Json | undefined, path: readonly string[]): Json | undefined {
  let current: Json | undefined = value;
  for (const segment of path) {
    if (Array.isArray(current)) current = /^(0|[1-9]\d*)$/.test(segment) ? current[Number(segment)] : undefined;
    else current = isJsonObject(current) && Object.hasOwn(current, segment) ? current[segment] : undefined;
  }
  return current;
}
