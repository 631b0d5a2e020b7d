import type { Json, ModelRequest, ModelToolResult } from '@countersign/core/plugin';
import { isJsonObject, unescapePointer } from '@countersign/model';
import { dataOf, embeddedObject, parsedOr } from './embedded-json.js';

export interface SeenResult extends ModelToolResult {
  /** As the call named it. */
  readonly tool: string;
}

/** What a request shows the model, as scripts speak of it. A function of the request alone. */
export class Conversation {
  /** From 1. */
  readonly turn: number;
  /** Of the last turn; empty where the last message is no result. */
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

  /** What the model was told, results of tools left aside. */
  prompts(): readonly string[] {
    return this.request.messages.flatMap((message) => (message.role === 'user' ? [message.text] : []));
  }

  /** All that came from outside of the model, in the order in which it is shown. */
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

  /** The calls that the model has proposed so far. */
  calls() {
    return this.request.messages.flatMap((message) => (message.role === 'assistant' ? message.calls : []));
  }

  /**
   * The value at a place: a root (`inputs` of the step, `result`: the newest result, `results/<tool>`: the last one of a
   * tool, `text`: the last message, `shown`: everything) and a JSON Pointer (RFC 6901) into it. `undefined`: there is none.
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

/** Tools are named in definitions with dots, and to models without (`artifact.read`, `artifact_read`). */
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

/** What is marked as the inputs; without a mark, the first JSON object there is. */
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
