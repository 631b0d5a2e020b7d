import { formatCount } from '../format-count.js';

export const comments = {
  part: 'Discussion',
  partWith: (n: number) => `Discussion (${n})`,
  threads: 'Comments',
  none: 'No comments.',
  placeholder: 'Comment without voting',
  comment: 'Comment',
  reply: 'Reply',
  replyLabel: 'Reply to this comment',
  replies: (n: number) => formatCount(n, 'reply', 'replies'),
  cancel: 'Cancel',
  notVote: 'The requester can read it and reply. It is not a vote.',
  requester: 'Requester',
  new: 'New',
  newComments: (n: number) => `${formatCount(n, 'new comment', 'new comments')} since you last looked`,
  count: (n: number) => formatCount(n, 'comment', 'comments'),
  countWithNew: (n: number) => `${formatCount(n, 'comment', 'comments')}, new`,
  commented: (author: string, title: string) => `${author} commented on “${title}”`,
  open: 'Open',
  close: 'Close',
  showLess: 'Show less',
  erased: 'This comment was erased.',
  erasedAuthor: 'Erased',
  lineLabel: (n: number, side: 'before' | 'after') =>
    `Comment on line ${n}${side === 'before' ? ' before the change' : ''}`,
  picker: {
    open: 'Comment on a line',
    number: 'Line number',
    side: 'Side',
    noLine: 'There is no such line here.',
  },
  line: (name: string, n: number, side: 'before' | 'after') =>
    `${name === '' ? 'Line' : `${name}, line`} ${n}${side === 'before' ? ' before the change' : ''}`,
};
