import { expect } from 'chai';
import { draftOf, formFor, formOf } from './form-draft.js';
import { aCall, anApproval } from './inbox.spec.support.js';

describe('inbox: what stands in the form', () => {
  const call = anApproval({ subject: aCall({ inputs: { to: 'ada' } }) });

  it('should begin with the arguments of the agent, and keep what was written', () => {
    const edit = formFor('edit', call);
    expect(JSON.parse(edit.argumentsText)).to.deep.equal({ to: 'ada' });
    expect(formFor('reject', call, { ...edit, comment: 'No.', argumentsText: '{' })).to.deep.equal({
      act: 'reject',
      comment: 'No.',
      argumentsText: '{',
    });
  });

  it('should convert a form draft to a decision', () => {
    expect(draftOf({ act: 'reject', comment: 'No.', argumentsText: '{"a":1}' })).to.deep.equal({
      decision: 'reject',
      comment: 'No.',
    });
    expect(draftOf({ act: 'edit', comment: '', argumentsText: '{"to":"bea"}' })).to.deep.equal({
      decision: 'approve',
      comment: '',
      editedArguments: { to: 'bea' },
    });
  });

  it('should be no decision where the arguments are none', () => {
    for (const argumentsText of ['', '{', '[]', 'null', '1', '"a"'])
      expect(draftOf({ act: 'edit', comment: '', argumentsText }), argumentsText).to.equal(undefined);
  });

  it('should be what it was when a decision is taken back', () => {
    expect(formOf({ decision: 'reject', comment: 'No.' })).to.deep.include({ act: 'reject', comment: 'No.' });
    expect(formOf({ decision: 'approve', comment: '', editedArguments: { a: 1 } })).to.deep.equal({
      act: 'edit',
      comment: '',
      argumentsText: '{\n  "a": 1\n}',
    });
  });
});
