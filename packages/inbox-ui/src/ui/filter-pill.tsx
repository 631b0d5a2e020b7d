import { Pill } from '@mantine/core';
import type { ReactNode } from 'react';

interface FilterPillProps {
  /** Label of the button that removes the filter. */
  readonly removeLabel: string;
  readonly children: ReactNode;
  onRemove(): void;
}

/** An active filter of a list, with a button that removes it. */
export function FilterPill({ removeLabel, children, onRemove }: FilterPillProps) {
  return (
    <Pill
      size="md"
      h={28}
      withRemoveButton
      removeButtonProps={{
        'aria-label': removeLabel,
        'tabIndex': 0,
        'aria-hidden': false,
        'mih': 24,
        'miw': 24,
      }}
      onRemove={onRemove}
    >
      {children}
    </Pill>
  );
}
