import { Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';

interface DecisionPartProps {
  readonly title: string;
  /** Whether the title is beside the content, if there is space, so that more of what follows is in view. */
  readonly isCompact?: boolean;
  readonly children: ReactNode;
}

/** A titled section of the decision view. */
export function DecisionPart({ title, isCompact = false, children }: DecisionPartProps) {
  const id = useId();
  return (
    <section className="cs-decision-part" data-compact={isCompact ? '' : undefined} aria-labelledby={id}>
      <Title order={3} size="h5" id={id}>
        {title}
      </Title>
      {children}
    </section>
  );
}
