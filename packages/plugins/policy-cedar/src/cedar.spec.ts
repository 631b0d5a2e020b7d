import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/**
 * Program that deoptimises the function that calls Cedar while Cedar reads a request. V8 may do the same after many
 * thousands of requests.
 */
const DEOPTIMISING_PROGRAM = `
  import { Cedar } from ${JSON.stringify(new URL('./cedar.js', import.meta.url).href)};
  const policies = () => ({ d: 'permit(principal, action, resource);' });
  const uid = (type, id) => ({ type, id });
  const question = { principal: uid('Agent', 'a'), action: uid('Action', 'call'), resource: uid('Tool', 't'), context: {}, entities: [] };
  const cedar = new Cedar();
  cedar.evaluate('set', policies, question);
  const call = cedar.use((module) => module.statefulIsAuthorized);
  const full = { ...question, preparsedPolicySetId: 'set-1' };
  %PrepareFunctionForOptimization(call);
  for (let turn = 0; turn < 2000; turn += 1) call(full);
  %OptimizeFunctionOnNextCall(call);
  call(full);
  const answer = call({ ...full, get context() { %DeoptimizeFunction(call); return {}; } });
  process.stdout.write(answer.response.decision);
`;

describe('Cedar', () => {
  it('should survive a V8 deoptimisation during an evaluation', async () => {
    const child = spawn(
      process.execPath,
      ['--allow-natives-syntax', '--input-type=module', '-e', DEOPTIMISING_PROGRAM],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );

    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);

    expect({ stdout, stderr, code: child.exitCode }).to.deep.equal({ stdout: 'allow', stderr: '', code: 0 });
  });
});
