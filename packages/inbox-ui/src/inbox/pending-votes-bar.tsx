import { Button } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState } from 'react';
import { texts } from '../texts/index.js';
import { groupPendingVotes } from './group-pending-votes.js';
import type { PendingVote } from './pending-vote.js';
import { PendingVoteLine, type PendingVoteCallbacks } from './pending-vote-line.js';
import './pending-votes.css';

const t = texts.pendingVotes;

interface PendingVotesBarProps extends PendingVoteCallbacks {
  /** Oldest first. */
  readonly entries: readonly PendingVote[];
}

/**
 * Pending votes with undo buttons. The bar takes one line, and a second one for a vote that was not counted. The other
 * votes are in a list above the bar, which the user opens.
 */
export function PendingVotesBar({ entries, ...callbacks }: PendingVotesBarProps) {
  const { failed, latest, others } = groupPendingVotes(entries);
  const [isOpen, setIsOpen] = useState(false);
  const isListOpen = isOpen && others.length > 0;
  // The list does not open again by itself for later votes.
  if (isOpen && others.length === 0) setIsOpen(false);
  const listId = useId();
  const moreButton = useRef<HTMLButtonElement>(null);
  const bar = useRef<HTMLElement>(null);
  // The list covers the page, so it closes as soon as the user returns to it (WCAG 2.2, 2.4.11).
  useEffect(() => {
    if (!isListOpen) return undefined;
    const closeIfOutside = ({ target }: Event): void => {
      if (target instanceof Node && bar.current?.contains(target) !== true) setIsOpen(false);
    };
    document.addEventListener('focusin', closeIfOutside);
    document.addEventListener('pointerdown', closeIfOutside);
    return () => {
      document.removeEventListener('focusin', closeIfOutside);
      document.removeEventListener('pointerdown', closeIfOutside);
    };
  }, [isListOpen]);
  return (
    <section
      ref={bar}
      className="cs-pending-votes"
      aria-label={t.label}
      hidden={entries.length === 0}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isListOpen) return;
        event.stopPropagation();
        setIsOpen(false);
        moreButton.current?.focus();
      }}
    >
      {isListOpen && (
        <div className="cs-pending-votes-list" id={listId}>
          {others.map((entry) => (
            <PendingVoteLine
              key={entry.approval.approvalId}
              entry={entry}
              isAnnounced={false}
              hasUndoKey={false}
              {...callbacks}
            />
          ))}
        </div>
      )}
      <div className="cs-pending-votes-lines">
        <div className="cs-pending-votes-shown">
          {[failed, latest].map(
            (entry) =>
              entry !== undefined && (
                <PendingVoteLine
                  key={entry.approval.approvalId}
                  entry={entry}
                  isAnnounced
                  hasUndoKey={entry === latest}
                  {...callbacks}
                />
              ),
          )}
        </div>
        {others.length > 0 && (
          <Button
            ref={moreButton}
            className="cs-pending-votes-more"
            size="compact-sm"
            variant="default"
            rightSection={
              isListOpen ? <IconChevronDown size={14} aria-hidden /> : <IconChevronUp size={14} aria-hidden />
            }
            aria-expanded={isListOpen}
            aria-controls={isListOpen ? listId : undefined}
            onClick={() => setIsOpen(!isListOpen)}
          >
            {t.more(others.length)}
          </Button>
        )}
      </div>
    </section>
  );
}
