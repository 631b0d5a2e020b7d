import {
  definePlugin,
  JobHandlerContribution,
  type Json,
  TerminalFailure,
  type Job,
  type JsonObject,
  type Plugin,
} from '@countersign/core/plugin';
import { injectable } from 'inversify';
import { toResult, ScriptedAgents } from '../http/scripted-agents.spec.support.js';

/** Function that returns or throws the result of a job handler. */
export type ResultFactory = () => unknown;

/** Handler of jobs of type `odd-work`: the command that started the run determines the result. */
export class OddWork {
  /**
   * Agents, of which `odd` calls a tool, asks a question and ends. Like the result of a job, the result of the tool and
   * the output are determined by the run.
   */
  readonly agents = new ScriptedAgents({
    odd: (turn, job) => {
      if (turn === 1) return { calls: [{ tool: 'look' }] };
      return turn === 2
        ? { calls: [{ tool: 'human.ask', question: { text: 'What now?' } }] }
        : { output: { result: this.#result(job) as Json } };
    },
  });
  readonly #resultFactories = new Map<string, ResultFactory>();
  #addedCount = 0;

  constructor() {
    this.agents.results.set('look', (job) => toResult(this.#result(job) as Json));
  }

  /** Adds work. @returns the value of the variable `work` that selects this work in a run */
  add(work: ResultFactory): string {
    const id = `work-${(this.#addedCount += 1)}`;
    this.#resultFactories.set(id, work);
    return id;
  }

  plugin(): Plugin {
    const execute = (job: Job): unknown => this.#result(job);
    class OddWorkHandler implements JobHandlerContribution {
      readonly jobType = 'odd-work';

      execute(job: Job): Promise<JsonObject> {
        return Promise.resolve(job).then(execute) as Promise<JsonObject>;
      }
    }
    injectable()(OddWorkHandler);
    return definePlugin({
      id: 'odd-work',
      register: ({ contribute }) => contribute(JobHandlerContribution, OddWorkHandler),
    });
  }

  #result({ variables }: Pick<Job, 'variables'>): unknown {
    return this.#resultFactories.get(String(variables['work']))?.();
  }
}

class Money {
  readonly #cents = 5;
  get amount(): number {
    return this.#cents / 100;
  }
}

const CYCLIC_OBJECT: Record<string, unknown> = {};
CYCLIC_OBJECT['self'] = CYCLIC_OBJECT;

/** JavaScript values that JSON cannot represent. None may be converted to another value without an error. */
export const NON_JSON_RESULTS: readonly (readonly [string, () => unknown])[] = [
  ['NaN', () => Number.NaN],
  ['Infinity', () => -Infinity],
  ['a bigint', () => 9_007_199_254_740_993n],
  ['a whole number beyond 2^53', () => 2 ** 53 + 2],
  ['a symbol', () => Symbol('odd')],
  ['a function', () => () => 1],
  ['a map', () => new Map([['a', 1]])],
  ['a set', () => new Set([1])],
  ['bytes', () => new Uint8Array([1, 2])],
  ['an error', () => new Error('odd')],
  ['a regular expression', () => /a/g],
  ['a promise', () => ({ later: Promise.resolve(1) })],
  ['a cyclic object', () => CYCLIC_OBJECT],
  ['a class instance', () => new Money()],
  [
    'a proxy',
    () =>
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('odd');
          },
        },
      ),
  ],
  [
    'a getter that throws',
    () => ({
      get a(): number {
        throw new Error('odd');
      },
    }),
  ],
  ['an invalid date', () => new Date(Number.NaN)],
];

/** Values that a handler may throw. */
export const THROWN_VALUES: readonly ((text: string) => unknown)[] = [
  (text) => new Error(text),
  (text) => new TerminalFailure(text, text),
  (text) => new TerminalFailure('odd_failure', text),
  (text) => text,
  () => undefined,
  () => null,
  () => 7,
  () => CYCLIC_OBJECT,
  (text) => Object.assign(new Error(text), { code: 7, cause: CYCLIC_OBJECT, stack: null }),
  () => Object.create(null),
  () => Symbol('odd'),
];
