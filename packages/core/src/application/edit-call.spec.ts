import { expect } from 'chai';
import { type AgentCall, ApiError, isApiError, type JsonObject, type ProposedCall } from '@countersign/model';
import type { ApprovalRecord } from '../ports/records.js';
import type { StoragePort } from '../ports/storage.js';
import { EditCall } from './edit-call.js';

const subject = {
  kind: 'tool_call',
  callId: 'c',
  tool: 'note',
  toolDigest: 'sha256:t',
  effect: 'write',
  reversible: true,
  hosts: [],
  taint: [],
  inputs: { text: 'old' },
  evidence: [{ name: 'a', version: 1, sha256: null }],
};

function storageWithApproval(approval: object | undefined): StoragePort {
  return { findApproval: async () => approval as ApprovalRecord } as unknown as StoragePort;
}

describe('EditCall', () => {
  let receivedCall: AgentCall | undefined;
  const propose = (call: AgentCall, editedArguments: JsonObject): ProposedCall => {
    receivedCall = call;
    return { ...call, arguments: editedArguments };
  };

  beforeEach(() => (receivedCall = undefined));

  async function captureError(editCall: Promise<unknown>): Promise<unknown> {
    const error = await editCall.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    return isApiError(error)
      ? [error.code, ((error.details['errors'] ?? []) as { pointer: string }[]).map(({ pointer }) => pointer)]
      : error;
  }

  it('should propose the call of the approval with the edited arguments', async () => {
    const proposedCall = await new EditCall(storageWithApproval({ subject, approvalId: 'a', round: 2 }), {
      proposeCall: propose,
    }).execute('a', {
      text: 'new',
    });
    expect(proposedCall).to.deep.include({ tool: 'note', arguments: { text: 'new' } });
    expect(receivedCall).to.deep.include({ callId: 'c', round: 2, arguments: { text: 'old' }, artifacts: ['a'] });
  });

  it('should return undefined when the edited arguments equal the current arguments', async () => {
    const editCall = new EditCall(storageWithApproval({ subject }), { proposeCall: propose });
    expect(await editCall.execute('a', { text: 'old' })).to.equal(undefined);
  });

  it('should refuse an edit without an approval of a call or with arguments that cannot be stored', async () => {
    expect(
      await captureError(
        new EditCall(storageWithApproval({ subject: { kind: 'user_task' } }), { proposeCall: propose }).execute(
          'a',
          {},
        ),
      ),
    ).to.deep.equal(['edit_not_possible', []]);
    expect(
      await captureError(new EditCall(storageWithApproval(undefined), { proposeCall: propose }).execute('a', {})),
    ).to.deep.equal(['approval_not_found', []]);
    const pollutingArguments = JSON.parse('{"__proto__": {}}') as JsonObject;
    expect(
      await captureError(
        new EditCall(storageWithApproval({ subject }), { proposeCall: propose }).execute('a', pollutingArguments),
      ),
    ).to.deep.equal(['validation_failed', ['/editedArguments/__proto__']]);
  });

  it('should report the location of arguments that the tool refuses', async () => {
    const refusingRuntime = {
      proposeCall: (): ProposedCall => {
        throw new ApiError('validation_failed', 'The arguments are invalid.', {
          errors: [{ pointer: '/arguments/text', code: 'type', message: 'Must be a string.' }],
        });
      },
    };
    expect(
      await captureError(new EditCall(storageWithApproval({ subject }), refusingRuntime).execute('a', { text: 1 })),
    ).to.deep.equal(['validation_failed', ['/editedArguments/text']]);
    const runtimeWithProblem = {
      proposeCall: (call: AgentCall): ProposedCall => ({
        ...call,
        problem: { code: 'tool_unknown', message: 'The tool does not exist.' },
      }),
    };
    expect(
      await captureError(new EditCall(storageWithApproval({ subject }), runtimeWithProblem).execute('a', {})),
    ).to.deep.equal(['validation_failed', ['/editedArguments']]);
  });
});
