import { Group, SegmentedControl } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { texts } from '../texts/index.js';

const t = texts.step.text;

interface PlainOrFormattedProps {
  /** The complete source text. */
  readonly plain: ReactNode;
  /** Renders the formatted view on demand; if omitted, there is only the plain view. */
  formatted?: (() => ReactNode) | undefined;
  /** Whether the formatted view is displayed first. It must not omit anything that a reader could rely on. */
  readonly isFormattedFirst?: boolean;
  /** Further actions. */
  readonly actions?: ReactNode;
}

/**
 * Displays content as source text, with a formatted view on request. Unless it is displayed first, the formatted view
 * omits some of the content (link definitions, duplicate names).
 */
export function PlainOrFormatted({ plain, formatted, isFormattedFirst = false, actions }: PlainOrFormattedProps) {
  const [isFormatted, setFormatted] = useState(isFormattedFirst);
  return (
    <>
      <Group justify="flex-end" gap={4}>
        {formatted !== undefined && (
          <SegmentedControl
            size="xs"
            aria-label={t.viewLabel}
            value={isFormatted ? 'formatted' : 'plain'}
            onChange={(view) => setFormatted(view === 'formatted')}
            data={[
              { value: 'plain', label: t.plain },
              { value: 'formatted', label: t.formatted },
            ]}
          />
        )}
        {actions}
      </Group>
      {isFormatted && formatted !== undefined ? formatted() : plain}
    </>
  );
}
