import type { Client } from '@countersign/contract';
import { expect } from 'chai';
import { deleteAnswerDraft, getAnswerDraft, isSendingAnswer } from './answer-draft.js';

describe('AnswerDraft', () => {
  const client = {} as Client;

  afterEach(() => deleteAnswerDraft(client, 'question-1'));

  it('should be shared by all views of a question, and report that it is being sent', () => {
    getAnswerDraft(client, 'question-1').setProgress({ phase: 'sending' });
    expect(isSendingAnswer(client, 'question-1')).to.equal(true);
    expect(isSendingAnswer(client, 'question-2')).to.equal(false);
    getAnswerDraft(client, 'question-1').setProgress({ phase: 'editing', error: new Error('Refused.') });
    expect(isSendingAnswer(client, 'question-1')).to.equal(false);
    expect(getAnswerDraft(client, 'question-1').getProgress().error).to.be.instanceOf(Error);
  });

  it('should know whether a view displays its progress', () => {
    const draft = getAnswerDraft(client, 'question-1');
    let updateCount = 0;
    const unsubscribe = draft.subscribe(() => (updateCount += 1));
    draft.setProgress({ phase: 'sending' });
    expect([draft.isDisplayed, updateCount]).to.deep.equal([true, 1]);
    unsubscribe();
    draft.setProgress({ phase: 'editing' });
    expect([draft.isDisplayed, updateCount]).to.deep.equal([false, 1]);
  });

  it('should have content once something is written', () => {
    const draft = getAnswerDraft(client, 'question-1');
    draft.text = ' ';
    expect(draft.hasContent).to.equal(false);
    draft.text = 'Ten.';
    expect(draft.hasContent).to.equal(true);
  });
});
