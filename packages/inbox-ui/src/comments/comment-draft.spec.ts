import { ConnectionError, type Client } from '@countersign/contract';
import { expect } from 'chai';
import { CommentDraft, getCommentDraft } from './comment-draft.js';

describe('CommentDraft', () => {
  it('should be empty once it is recorded', async () => {
    const draft = new CommentDraft();
    draft.setText('  Why? ');
    const sent: string[] = [];

    expect(await draft.send((text) => Promise.resolve(void sent.push(text)))).to.equal(true);

    expect(sent).to.deep.equal(['Why?']);
    expect(draft.getSnapshot()).to.deep.equal({ text: '', isSending: false, error: undefined });
  });

  it('should keep its text if it cannot be sent, and repeat the request under the same key', async () => {
    // given
    const draft = new CommentDraft();
    draft.setText('Why?');
    const keys: string[] = [];
    const lost = new ConnectionError(new Error('lost'));

    // when
    await draft.send((_text, key) => {
      keys.push(key);
      return Promise.reject(lost);
    });
    const { text, error } = draft.getSnapshot();
    await draft.send((_text, key) => Promise.resolve(void keys.push(key)));

    // then
    expect([text, error]).to.deep.equal(['Why?', lost]);
    expect(keys[1]).to.equal(keys[0]);
  });

  it('should keep what the user writes while it is sent', async () => {
    // given
    const draft = new CommentDraft();
    draft.setText('Why?');

    // when
    const isRecorded = await draft.send(() => {
      draft.setText('Why? And when?');
      return Promise.resolve();
    });

    // then
    expect(isRecorded).to.equal(true);
    expect(draft.getSnapshot()).to.deep.equal({ text: 'Why? And when?', isSending: false, error: undefined });
  });

  it('should be sent once at a time, and never without text', async () => {
    const draft = new CommentDraft();
    let count = 0;
    const send = (): Promise<void> => {
      count += 1;
      return Promise.resolve();
    };
    expect(await draft.send(send)).to.equal(false);
    draft.setText(' \n');
    expect(await draft.send(send)).to.equal(false);
    draft.setText('Why?');

    expect(await Promise.all([draft.send(send), draft.send(send)])).to.deep.equal([true, false]);
    expect(count).to.equal(1);
  });

  it('should be kept per session and place', () => {
    const [client, other] = [{} as Client, {} as Client];
    getCommentDraft(client, 'approval-1 approval').setText('Why?');
    expect(getCommentDraft(client, 'approval-1 approval').getSnapshot().text).to.equal('Why?');
    expect(getCommentDraft(client, 'approval-2 approval').getSnapshot().text).to.equal('');
    expect(getCommentDraft(other, 'approval-1 approval').getSnapshot().text).to.equal('');
  });
});
