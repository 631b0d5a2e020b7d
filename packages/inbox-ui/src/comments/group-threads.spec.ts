import { expect } from 'chai';
import { buildComment } from './comments.spec.support.js';
import { groupThreads } from './group-threads.js';

describe('groupThreads()', () => {
  const toIds = (comments: Parameters<typeof groupThreads>[0]) =>
    groupThreads(comments).map(({ first, replies }) => [first, ...replies].map(({ commentId }) => commentId));

  it('should list replies below the comment that started their thread', () => {
    const [first, second] = [buildComment(1), buildComment(2)];
    const replies = [3, 4].map((id) => buildComment(id, { replyTo: first.commentId }));

    expect(toIds([first, second, ...replies])).to.deep.equal([['comment-1', 'comment-3', 'comment-4'], ['comment-2']]);
  });

  it('should not hide a reply whose thread is not listed', () => {
    expect(toIds([buildComment(1, { replyTo: 'comment-0' })])).to.deep.equal([['comment-1']]);
  });
});
