import { Group, SegmentedControl } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { texts } from '../texts/index.js';

const t = texts.step.text;

interface PlainOrFormattedProps {
  /** As it is written: nothing of it is left out. */
  readonly plain: ReactNode;
  /** Left out: there is but one way to show it. Made only once it is asked for. */
  formatted?: (() => ReactNode) | undefined;
  /** What else can be done with it. */
  readonly actions?: ReactNode;
}

/** Something as it is written, and, for those who ask for it, as it is meant: what is drawn leaves things out (definitions of links, names that are there twice). */
export function PlainOrFormatted({ plain, formatted, actions }: PlainOrFormattedProps) {
  const [isFormatted, setFormatted] = useState(false);
  return (
    <>
      <Group justify="flex-end" gap={4}>
        {formatted !== undefined && (
          <SegmentedControl
            size="xs"
            aria-label={t.how}
            value={isFormatted ? 'formatted' : 'plain'}
            onChange={(to) => setFormatted(to === 'formatted')}
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
