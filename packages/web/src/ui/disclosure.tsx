import { UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useId, useState, type ReactNode } from 'react';
import './disclosure.css';

interface DisclosureProps {
  readonly title: ReactNode;
  readonly opened?: boolean;
  /** Rendered only when opened. */
  children(): ReactNode;
}

/** Shows content that the user can open (ARIA disclosure pattern). */
export function Disclosure({ title, opened = false, children }: DisclosureProps) {
  const [open, setOpen] = useState(opened);
  const id = useId();
  return (
    <div className="cs-disclosure">
      <UnstyledButton
        className="cs-disclosure-button"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        <IconChevronRight
          size={14}
          aria-hidden
          style={{ transform: open ? 'rotate(90deg)' : undefined, flex: '0 0 14px' }}
        />
        {title}
      </UnstyledButton>
      {open && (
        <div id={id} className="cs-disclosure-content">
          {children()}
        </div>
      )}
    </div>
  );
}
