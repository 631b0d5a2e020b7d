import { isRetryableFailure, ToolError } from '@countersign/core/plugin';
import { ProtocolError } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { toCallError } from './call-error.js';
import { callUntilFinished } from './call-until-finished.js';
import { HttpRefusal } from './http-refusal.js';
import type { CallResponse } from './unfinished-call.js';

const inputRequired = (requestState: string): CallResponse => ({ resultType: 'input_required', requestState });
const DONE: CallResponse = { resultType: 'complete', content: [] };

describe('callUntilFinished', () => {
  let states: (string | undefined)[];

  /** Calls a tool of a server that returns these responses or throws these errors. */
  const callTool = (...responses: (CallResponse | Error)[]): Promise<CallResponse> => {
    states = [];
    const remaining = [...responses];
    return callUntilFinished((state) => {
      states.push(state);
      const response = remaining.shift() ?? inputRequired('more');
      return response instanceof Error ? Promise.reject(response) : Promise.resolve(response);
    }, AbortSignal.abort());
  };
  const captureFailure = async (...responses: (CallResponse | Error)[]): Promise<unknown> =>
    callTool(...responses).then(
      () => expect.fail('The call did not fail.'),
      (error: unknown) => error,
    );
  const toError = (error: unknown, effect: 'read' | 'write'): unknown =>
    toCallError(error, 'remote', effect, (text) => text);

  it('should return the last requestState to the server in each round trip', async () => {
    expect(await callTool(inputRequired('a'), inputRequired('b'), DONE)).to.equal(DONE);
    expect(states).to.eql([undefined, 'a', 'b']);
  });

  it('should fail after more than ten round trips', async () => {
    expect(String(await captureFailure())).to.include('requested more than 10 repeats');
    expect(states).to.have.length(11);
  });

  const createRefusal = (status: number): HttpRefusal =>
    new HttpRefusal(status, '', { hadSession: false, retryAfterMs: undefined });
  for (const [description, nextResponse] of [
    ['401', createRefusal(401)],
    ['429', createRefusal(429)],
    ['422', createRefusal(422)],
    ['a JSON-RPC error', new ProtocolError(-32_602, 'Invalid parameters.')],
    ['a request for input', { resultType: 'input_required', inputRequests: { a: { method: 'elicitation/create' } } }],
    ['of another type', { resultType: 'task' }],
  ] as const) {
    it(`should report an unknown outcome if a write has started and the next response is ${description}`, async () => {
      const error = toError(await captureFailure(inputRequired('started'), nextResponse), 'write');

      expect(error).not.to.be.instanceOf(ToolError);
      expect(isRetryableFailure(error)).to.equal(false);
      expect(String(error)).to.include('did not finish the call. The server had started the call.');
    });
  }

  it('should report a failure in a later round trip of a read like one in the first round trip', async () => {
    expect(
      isRetryableFailure(toError(await captureFailure(inputRequired('started'), createRefusal(429)), 'read')),
    ).to.equal(true);
    expect(toError(await captureFailure(inputRequired('started'), createRefusal(422)), 'read')).to.be.instanceOf(
      ToolError,
    );
  });

  it('should fail if the requestState of the server is too long or not a string', async () => {
    for (const requestState of [7, 'x'.repeat(65_537)])
      expect(String(await captureFailure({ resultType: 'input_required', requestState }))).to.include(
        'requires a requestState of at most 65536 characters, but the server sent none',
      );
  });
});
