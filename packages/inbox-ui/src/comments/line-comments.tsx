import type { CommentedLine } from '@countersign/contract';
import { useMemo, useState, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { LineNotesContext, type LineNotes, type LinePlace } from '../ui/line-notes.js';
import { CommentForm } from './comment-form.js';
import { CommentThread } from './comment-thread.js';
import { useDisplayedDiscussion } from './discussion.js';
import { findThreadsByLine, getLineKey, isSameText, type CommentedText } from './find-threads-by-line.js';
import { LinePicker } from './line-picker.js';
import './comments.css';

/** Maximum length of a quoted line, as the server limits it. */
const MAX_QUOTE_LENGTH = 1_000;

interface LineCommentsProps {
  readonly text: CommentedText;
  readonly children: ReactNode;
}

/** Displays comments below the lines of a text in the subject or the evidence, and lets users write them there. */
export function LineComments({ text: { pointer, evidence }, children }: LineCommentsProps) {
  const discussion = useDisplayedDiscussion();
  const [opened, setOpened] = useState<string>();
  const notes = useMemo((): LineNotes | undefined => {
    if (discussion === undefined) return undefined;
    const commentedText: CommentedText = evidence === undefined ? { pointer: pointer ?? '' } : { evidence };
    const threads = findThreadsByLine(
      discussion.threads.filter(({ first: { line } }) => line !== null && isSameText(line, commentedText)),
    );
    const toLine = ({ file, side, number }: LinePlace, quote: string): CommentedLine => ({
      ...commentedText,
      ...(file === undefined ? {} : { file: file.slice(0, MAX_QUOTE_LENGTH) }),
      side,
      number,
      quote: quote.slice(0, MAX_QUOTE_LENGTH),
    });
    const renderForm = (place: LinePlace, quote: string, close: () => void): ReactNode => (
      <CommentForm
        key={getLineKey(place)}
        place={`line ${JSON.stringify([pointer, evidence, getLineKey(place)])}`}
        label={texts.comments.lineLabel(place.number, place.side)}
        submitLabel={texts.comments.comment}
        about={{ line: toLine(place, quote) }}
        takesFocus
        onSent={close}
        onCancel={close}
      />
    );
    return {
      renderBelow: (place, quote) => {
        const found = (threads.get(getLineKey(place)) ?? []).filter(
          // Line numbers change between rounds: an earlier comment belongs to the line only if it is still the same.
          ({ first }) =>
            first.approvalId === discussion.approvalId || first.line?.quote === quote.slice(0, MAX_QUOTE_LENGTH),
        );
        const isOpened = opened === getLineKey(place);
        if (found.length === 0 && !isOpened) return undefined;
        return (
          <div className="cs-line-comments" data-note="">
            {found.map((thread) => (
              <CommentThread key={thread.first.commentId} thread={thread} quotesLine={false} />
            ))}
            {isOpened && renderForm(place, quote, () => setOpened(undefined))}
          </div>
        );
      },
      renderControl: (file, findText) =>
        discussion.canComment && (
          <LinePicker
            findText={findText}
            renderForm={(place, quote, close) => renderForm({ ...place, file }, quote, close)}
          />
        ),
      onWrite: discussion.canComment ? (place) => setOpened(getLineKey(place)) : undefined,
    };
  }, [discussion, pointer, evidence, opened]);
  return <LineNotesContext.Provider value={notes}>{children}</LineNotesContext.Provider>;
}
