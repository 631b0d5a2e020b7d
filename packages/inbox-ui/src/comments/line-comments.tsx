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

/** Maximum length of a quoted line, and of the path and pointer of a text, as the server limits them. */
const MAX_QUOTE_LENGTH = 1_000;
const MAX_NAME_LENGTH = 1_000;

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
    const canWriteOn = (file: string | undefined): boolean =>
      discussion.canComment && [pointer, file].every((name) => (name ?? '').length <= MAX_NAME_LENGTH);
    const toLine = ({ file, side, number }: LinePlace, text: string): CommentedLine => ({
      ...commentedText,
      ...(file === undefined ? {} : { file }),
      side,
      number,
      quote: quoteLine(text),
    });
    const renderForm = (place: LinePlace, quote: string, close: (hasFocus: boolean) => void): ReactNode => (
      <CommentForm
        key={getLineKey(place)}
        place={`line ${JSON.stringify([pointer, evidence, getLineKey(place)])}`}
        label={texts.comments.lineLabel(place.number, place.side)}
        submitLabel={texts.comments.comment}
        about={{ line: toLine(place, quote) }}
        takesFocus
        onClose={close}
      />
    );
    return {
      renderBelow: (place, quote) => {
        const found = (threads.get(getLineKey(place)) ?? []).filter(
          // Line numbers change between rounds, and clients can state any quote: readers would take the comment for one
          // on a line that it is not about.
          ({ first }) => first.line?.quote === quoteLine(quote),
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
        canWriteOn(file) && (
          <LinePicker
            file={file}
            findText={findText}
            renderForm={(line, quote, close) => renderForm({ ...line, file }, quote, close)}
          />
        ),
      onWrite: discussion.canComment
        ? (place) => {
            if (canWriteOn(place.file)) setOpened(getLineKey(place));
          }
        : undefined,
    };
  }, [discussion, pointer, evidence, opened]);
  return <LineNotesContext.Provider value={notes}>{children}</LineNotesContext.Provider>;
}

/** Returns what a comment quotes of a line. A character outside of the basic plane is not split. */
function quoteLine(text: string): string {
  return text.slice(0, MAX_QUOTE_LENGTH).replace(/[\uD800-\uDBFF]$/, '');
}
