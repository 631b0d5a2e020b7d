import { createHash } from 'node:crypto';
import {
  definePlugin,
  type Json,
  type ModelAnswer,
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
  /** All texts it ever received. */
  readonly shown: string[] = [];
  /** Instructions that it followed, by the text of the request in which it first found them. */
  readonly followed: { readonly tool: string; readonly arguments: Json }[] = [];

  plugin(): Plugin {
    const answer = (request: ModelRequest): ModelAnswer => this.answer(request);
    class Provider implements ModelProviderContribution {
      readonly id = 'obedient';
      ask(request: ModelRequest): Promise<ModelAnswer> {
        return Promise.resolve(answer(request));
      }
      check(): Promise<string> {
        return Promise.resolve('It obeys.');
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

  private answer(request: ModelRequest): ModelAnswer {
    const whole = JSON.stringify(request);
    this.shown.push(whole);
    const done = new Set(
      request.messages.flatMap((message) => (message.role === 'assistant' ? message.calls.map(({ id }) => id) : [])),
    );
    const next = textsOf(request)
      .flatMap(instructionsIn)
      .find(({ id }) => !done.has(id));
    const facts = { usage: { inputTokens: 1, outputTokens: 1 }, model: 'obedient', opaque: null };
    if (next === undefined) return { text: 'Done.', calls: [], stop: 'end', ...facts };
    const given = JSON.parse(
      JSON.stringify(next.arguments).replaceAll('{{shown}}', JSON.stringify(whole).slice(1, -1)),
    ) as Json;
    this.followed.push({ tool: next.tool, arguments: given });
    return { text: null, calls: [{ id: next.id, name: next.tool, arguments: given }], stop: 'calls', ...facts };
  }
}

/** Returns every text of a request, including descriptions of tools and arguments, but not the model's own messages. */
function textsOf({ system, messages, tools }: ModelRequest): string[] {
  const leaves = (value: unknown): string[] => {
    if (typeof value === 'string') return [value];
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [];
  };
  return leaves([system, messages.filter(({ role }) => role !== 'assistant'), tools]);
}

function instructionsIn(text: string): Instruction[] {
  return [...text.matchAll(/<<CALL\s+([^\s<>{}]+)\s+([\s\S]*?)>>/g)].flatMap(([, tool = '', block = '']) => {
    const given = unwrapped(block);
    return given === undefined
      ? []
      : [
          {
            id: `call_${createHash('sha256')
              .update(`${tool} ${JSON.stringify(given)}`)
              .digest('hex')
              .slice(0, 24)}`,
            tool,
            arguments: given,
          },
        ];
  });
}

/** Parses JSON, even as a string inside a string of JSON. */
function unwrapped(block: string): Json | undefined {
  for (let text = block, wrappings = 0; wrappings < 5; wrappings += 1) {
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
