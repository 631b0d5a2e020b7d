import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/index.js';

/** The rest of a longer list is only in the pack. */
const MAX_SHOWN = 200;

interface EvidenceListProps<T> {
  readonly title: string;
  readonly items: readonly T[];
  /** Shown instead of an empty list; by default, an empty list has no heading either. */
  readonly empty?: string;
  children(item: T): ReactNode;
}

/** Heading and list of one kind of items of a pack. */
export function EvidenceList<T>({ title, items, empty, children }: EvidenceListProps<T>) {
  if (items.length === 0 && empty === undefined) return null;
  return (
    <section>
      <Title order={2} size="h5" mb={4}>
        {title}
      </Title>
      {items.length === 0 ? (
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      ) : (
        <ul className="cs-run-evidence-list" aria-label={title}>
          {items.slice(0, MAX_SHOWN).map((item, index) => (
            <li key={index}>{children(item)}</li>
          ))}
        </ul>
      )}
      {items.length > MAX_SHOWN && <Text size="sm">{texts.evidence.more(items.length - MAX_SHOWN)}</Text>}
    </section>
  );
}
