import { createHash } from 'node:crypto';
import { modelArguments, ModelError, type ModelToolCall, modelToolName } from '@countersign/core/plugin';

/** A part of a call as servers really send it: the index may be missing or wrong, and so may the id. */
interface CallPart {
  readonly index?: unknown;
  readonly id?: unknown;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown };
}

interface Open {
  readonly index: unknown;
  id: string;
  name: string;
  arguments: string;
}

const MAX_CALLS = 128;

/** Calls of one answer, put together from the parts of a stream. */
export class ToolCalls {
  private readonly open: Open[] = [];

  constructor(private readonly idempotencyKey: string) {}

  /** Characters so far. */
  get size(): number {
    return this.open.reduce((sum, call) => sum + call.name.length + call.arguments.length, 0);
  }

  /** @throws {ModelError} `model_answer_malformed` */
  add(part: CallPart): void {
    if (typeof part !== 'object' || part === null) throw malformed('a call of a tool that is no object');
    const id = typeof part.id === 'string' ? part.id : '';
    const name = typeof part.function?.name === 'string' ? part.function.name : '';
    const call = this.find(part.index, id, name) ?? this.begin(part.index);
    if (call.id === '') call.id = id;
    if (call.name === '') call.name = name;
    call.arguments += argumentsText(part.function?.arguments);
  }

  /** @throws {ModelError} `model_answer_malformed`: a call of no tool */
  complete(): readonly ModelToolCall[] {
    const ids = new Set<string>();
    return this.open.map(({ id, name, arguments: given }, position) => {
      if (name === '') throw malformed('a call of a tool without its name');
      const unique = id !== '' && !ids.has(id) ? id : this.madeUpId(position);
      ids.add(unique);
      return { id: unique, name: modelToolName(name), arguments: modelArguments(given) };
    });
  }

  private find(index: unknown, id: string, name: string): Open | undefined {
    if (typeof index !== 'number')
      return id !== '' ? this.open.find((call) => call.id === id) : name !== '' ? undefined : this.open.at(-1);
    const there = this.open.findLast((call) => call.index === index);
    // Some servers give every call the index 0: another id is another call.
    return there !== undefined && id !== '' && there.id !== '' && there.id !== id ? undefined : there;
  }

  private begin(index: unknown): Open {
    if (this.open.length >= MAX_CALLS) throw malformed(`more than ${MAX_CALLS} calls of tools`);
    const call = { index, id: '', name: '', arguments: '' };
    this.open.push(call);
    return call;
  }

  /** The same when the answer is read again, and none of another turn. */
  private madeUpId(position: number): string {
    return `call_${createHash('sha256').update(this.idempotencyKey).digest('hex').slice(0, 16)}_${position + 1}`;
  }
}

function argumentsText(given: unknown): string {
  if (typeof given === 'string') return given;
  // Some servers give them ready-made.
  return given === undefined || given === null ? '' : JSON.stringify(given);
}

function malformed(what: string): ModelError {
  return new ModelError('model_answer_malformed', `The model's answer holds ${what}.`, true);
}
