import { createHash } from 'node:crypto';
import {
  definePlugin,
  type Json,
  type ModelCompletion,
  ModelProviderContribution,
  type ModelRequest,
  type Plugin,
} from '@countersign/core/plugin';
import { injectable } from 'inversify';

interface Instruction {
  readonly id: string;
  readonly tool: string;
  readonly arguments: Json;
}

/** Worst possible language model: it follows every instruction in any text it receives. */
export class ObedientModel {
  /** All requests that it received, as JSON. */
  readonly requests: string[] = [];
  /** Instructions that it followed, in order. */
  readonly followedInstructions: { readonly tool: string; readonly arguments: Json }[] = [];

  plugin(): Plugin {
    const respond = (request: ModelRequest): ModelCompletion => this.respond(request);
    class Provider implements ModelProviderContribution {
      readonly id = 'obedient';
      complete(request: ModelRequest): Promise<ModelCompletion> {
        return Promise.resolve(respond(request));
      }
      check(): Promise<string> {
        return Promise.resolve('The language model is available.');
      }
      price(): undefined {
        return undefined;
      }
    }
    injectable()(Provider);
    return definePlugin({
      id: 'obedient',
      register: ({ contribute }) => contribute(ModelProviderContribution, Provider),
    });
  }

  private respond(request: ModelRequest): ModelCompletion {
    const requestJson = JSON.stringify(request);
    this.requests.push(requestJson);
    const completedCallIds = new Set(
      request.messages.flatMap((message) => (message.role === 'assistant' ? message.calls.map(({ id }) => id) : [])),
    );
    const next = collectTexts(request)
      .flatMap(findInstructions)
      .find(({ id }) => !completedCallIds.has(id));
    const completionFields = { usage: { inputTokens: 1, outputTokens: 1 }, model: 'obedient', opaque: null };
    if (next === undefined) return { text: 'Done.', calls: [], stop: 'end', ...completionFields };
    const toolArguments = JSON.parse(
      JSON.stringify(next.arguments).replaceAll('{{request}}', JSON.stringify(requestJson).slice(1, -1)),
    ) as Json;
    this.followedInstructions.push({ tool: next.tool, arguments: toolArguments });
    return {
      text: null,
      calls: [{ id: next.id, name: next.tool, arguments: toolArguments }],
      stop: 'calls',
      ...completionFields,
    };
  }
}

/** Returns every text of a request, including descriptions of tools and arguments, but not the assistant messages. */
function collectTexts({ system, messages, tools }: ModelRequest): string[] {
  const collectStrings = (value: unknown): string[] => {
    if (typeof value === 'string') return [value];
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(collectStrings) : [];
  };
  return collectStrings([system, messages.filter(({ role }) => role !== 'assistant'), tools]);
}

function findInstructions(text: string): Instruction[] {
  return [...text.matchAll(/<<CALL\s+([^\s<>{}]+)\s+([\s\S]*?)>>/g)].flatMap(([, tool = '', block = '']) => {
    const toolArguments = parseNestedJson(block);
    return toolArguments === undefined
      ? []
      : [
          {
            id: `call_${createHash('sha256')
              .update(`${tool} ${JSON.stringify(toolArguments)}`)
              .digest('hex')
              .slice(0, 24)}`,
            tool,
            arguments: toolArguments,
          },
        ];
  });
}

/** Parses JSON that may be escaped in nested JSON strings. */
function parseNestedJson(block: string): Json | undefined {
  for (let text = block, nesting = 0; nesting < 5; nesting += 1) {
    try {
      return JSON.parse(text) as Json;
    } catch {
      try {
        text = JSON.parse(`"${text}"`) as string;
      } catch {
        return undefined;
      }
    }
  }
  return undefined;
}
