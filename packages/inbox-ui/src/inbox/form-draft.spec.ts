import { expect } from 'chai';
import { toDecisionDraft, buildFormDraft, toFormDraft } from './form-draft.js';
import { createCallSubject, createApproval } from './inbox.spec.support.js';

describe('inbox: decision form', () => {
  const call = createApproval({ subject: createCallSubject({ inputs: { to: 'ada' } }) });

  it('should start with the arguments of the agent and keep the entered text', () => {
    const edit = buildFormDraft('edit', call);
    expect(JSON.parse(edit.argumentsText)).to.deep.equal({ to: 'ada' });
    expect(buildFormDraft('reject', call, { ...edit, comment: 'Wrong version.', argumentsText: '{' })).to.deep.equal({
      act: 'reject',
      comment: 'Wrong version.',
      argumentsText: '{',
    });
  });

  it('should convert the form to a decision', () => {
    expect(toDecisionDraft({ act: 'reject', comment: 'Wrong version.', argumentsText: '{"a":1}' })).to.deep.equal({
      decision: 'reject',
      comment: 'Wrong version.',
    });
    expect(toDecisionDraft({ act: 'edit', comment: '', argumentsText: '{"to":"bea"}' })).to.deep.equal({
      decision: 'approve',
      comment: '',
      editedArguments: { to: 'bea' },
    });
  });

  it('should return no decision if the arguments are not a JSON object', () => {
    for (const argumentsText of ['', '{', '[]', 'null', '1', '"a"'])
      expect(toDecisionDraft({ act: 'edit', comment: '', argumentsText }), argumentsText).to.equal(undefined);
  });

  it('should restore the form when a decision is undone', () => {
    expect(toFormDraft({ decision: 'reject', comment: 'Wrong version.' })).to.deep.include({
      act: 'reject',
      comment: 'Wrong version.',
    });
    expect(toFormDraft({ decision: 'approve', comment: '', editedArguments: { a: 1 } })).to.deep.equal({
      act: 'edit',
      comment: '',
      argumentsText: '{\n  "a": 1\n}',
    });
  });
});
