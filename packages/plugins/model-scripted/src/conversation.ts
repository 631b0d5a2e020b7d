import type { Json, ModelRequest, ModelToolResult } from '@countersign/core/plugin';
import { isJsonObject, unescapePointer } from '@countersign/model';
import { dataOf, embeddedObject, parsedOr } from './embedded-json.js';

export interface SeenResult extends ModelToolResult {
  /** Tool name used in the call. */
  readonly tool: string;
}

/** The content of a request in the terms of scripts. Depends only on the request. */
export class Conversation {
  /** Number of the turn, from 1. */
  readonly turn: number;
  /** Results of the last turn; empty if the last message is not a result. */
  readonly newest: readonly SeenResult[];
  private readonly results: readonly SeenResult[];

  constructor(readonly request: ModelRequest) {
    const { messages } = request;
    this.turn = messages.filter(({ role }) => role === 'assistant').length + 1;
    const tools = new Map(this.calls().map(({ id, name }) => [id, name]));
    const seen = (results: readonly ModelToolResult[]) =>
      results.map((result) => ({ ...result, tool: tools.get(result.callId) ?? '' }));
    this.results = messages.flatMap((message) => (message.role === 'tool' ? seen(message.results) : []));
    const last = messages.at(-1);
    this.newest = last?.role === 'tool' ? seen(last.results) : [];
  }

  /** Returns the texts of the user messages, without tool results. */
  prompts(): readonly string[] {
    return this.request.messages.flatMap((message) => (message.role === 'user' ? [message.text] : []));
  }

  /** Returns everything that the model did not write itself, in the order in which it is shown. */
  shown(): readonly string[] {
    const { system, tools, messages } = this.request;
    const said = messages.flatMap((message) =>
      message.role === 'user'
        ? [message.text]
        : message.role === 'tool'
          ? message.results.map(({ content }) => content)
          : [],
    );
    return [
      system,
      ...tools.flatMap(({ description, inputSchema }) => [description, JSON.stringify(inputSchema)]),
      ...said,
    ];
  }

  /** Returns the calls that the model has proposed so far. */
  calls() {
    return this.request.messages.flatMap((message) => (message.role === 'assistant' ? message.calls : []));
  }

  /**
   * Returns the value at a path: a root (`inputs` of the step, `result`: the newest result, `results/<tool>`: the last
   * result of a tool, `text`: the last user message, `shown`: everything) followed by a JSON Pointer (RFC 6901).
   * Returns `undefined` if there is no value.
   */
  at(place: string): Json | undefined {
    const [root, ...path] = place.split('/').map(unescapePointer);
    switch (root) {
      case 'inputs':
        return within(inputsOf(this.prompts()[0] ?? ''), path);
      case 'result':
        return within(contentOf(this.newest.at(-1)), path);
      case 'results':
        return within(contentOf(this.results.findLast(({ tool }) => sameTool(tool, path[0] ?? ''))), path.slice(1));
      case 'text':
        return within(this.prompts().at(-1), path);
      case 'shown':
        return within(this.shown().join('\n'), path);
      default:
        return undefined;
    }
  }
}

/**
 * Returns whether two names denote the same tool. Definitions use dots, models do not (`artifact.read`,
 * `artifact_read`).
 */
export function sameTool(one: string, other: string): boolean {
  return one === other || plain(one) === plain(other);
}

function plain(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]+/g, '_');
}

function contentOf(result: SeenResult | undefined): Json | undefined {
  if (result === undefined) return undefined;
  const content = dataOf(result.content) ?? result.content;
  return parsedOr(content, () => content);
}

/** Returns the content marked as inputs; without a mark, the first JSON object. */
function inputsOf(message: string): Json | undefined {
  const marked = dataOf(message, 'inputs');
  return marked === undefined ? embeddedObject(message) : parsedOr(marked, () => marked);
}

function within(value: Json | undefined, path: readonly string[]): Json | undefined {
  let found: Json | undefined = value;
  for (const segment of path) {
    if (Array.isArray(found)) found = /^(0|[1-9]\d*)$/.test(segment) ? found[Number(segment)] : undefined;
    else found = isJsonObject(found) && Object.hasOwn(found, segment) ? found[segment] : undefined;
  }
  return found;
}
