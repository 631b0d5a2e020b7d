import { isRetryableFailure, ToolError } from '@countersign/core/plugin';
import { ProtocolError } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { callFailure } from './call-failure.js';
import { callInRounds } from './call-rounds.js';
import { HttpRefusal } from './http-refusal.js';
import type { Answer } from './unfinished-call.js';

const again = (requestState: string): Answer => ({ resultType: 'input_required', requestState });
const DONE: Answer = { resultType: 'complete', content: [] };

describe('callInRounds', () => {
  let states: (string | undefined)[];

  /** Calls a tool of a server that returns these responses or throws these errors. */
  const call = (...answers: (Answer | Error)[]): Promise<Answer> => {
    states = [];
    const left = [...answers];
    return callInRounds((state) => {
      states.push(state);
      const answer = left.shift() ?? again('more');
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    }, AbortSignal.abort());
  };
  const failure = async (...answers: (Answer | Error)[]): Promise<unknown> =>
    call(...answers).then(
      () => expect.fail('It did not fail.'),
      (error: unknown) => error,
    );
  const of = (error: unknown, effect: 'read' | 'write'): unknown =>
    callFailure(error, 'remote', effect, (text) => text);

  it('should return the last requestState to the server in each round', async () => {
    expect(await call(again('a'), again('b'), DONE)).to.equal(DONE);
    expect(states).to.eql([undefined, 'a', 'b']);
  });

  it('should fail after more than ten rounds', async () => {
    expect(String(await failure())).to.include('requested more than 10 repeats');
    expect(states).to.have.length(11);
  });

  const refusal = (status: number): HttpRefusal =>
    new HttpRefusal(status, '', { hadSession: false, retryAfterMs: undefined });
  for (const [what, answer] of [
    ['401', refusal(401)],
    ['429', refusal(429)],
    ['422', refusal(422)],
    ['a JSON-RPC error', new ProtocolError(-32_602, 'Not like this.')],
    ['a request for input', { resultType: 'input_required', inputRequests: { a: { method: 'elicitation/create' } } }],
    ['of another type', { resultType: 'task' }],
  ] as const) {
    it(`should report an unknown outcome if a write has started and the next response is ${what}`, async () => {
      const error = of(await failure(again('begun'), answer), 'write');

      expect(error).not.to.be.instanceOf(ToolError);
      expect(isRetryableFailure(error)).to.equal(false);
      expect(String(error)).to.include('did not finish the call. The server had started the call.');
    });
  }

  it('should report a failure in a later round of a read like one in the first round', async () => {
    expect(isRetryableFailure(of(await failure(again('begun'), refusal(429)), 'read'))).to.equal(true);
    expect(of(await failure(again('begun'), refusal(422)), 'read')).to.be.instanceOf(ToolError);
  });

  it('should fail if the requestState of the server is too long or not a string', async () => {
    for (const requestState of [7, 'x'.repeat(65_537)])
      expect(String(await failure({ resultType: 'input_required', requestState }))).to.include(
        'The server sent no requestState of at most 65536 characters',
      );
  });
});
