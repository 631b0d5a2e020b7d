import { UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useId, useState, type ReactNode } from 'react';
import './disclosure.css';

interface DisclosureProps {
  readonly title: ReactNode;
  readonly defaultOpened?: boolean;
  /** Renders the content; called only while it is open. */
  children(): ReactNode;
}

/** Shows content that the user can open (ARIA disclosure pattern). */
export function Disclosure({ title, defaultOpened = false, children }: DisclosureProps) {
  const [isOpen, setIsOpen] = useState(defaultOpened);
  const id = useId();
  return (
    <div className="cs-disclosure">
      <UnstyledButton
        className="cs-disclosure-button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        <IconChevronRight
          size={14}
          aria-hidden
          style={{ transform: isOpen ? 'rotate(90deg)' : undefined, flex: '0 0 14px' }}
        />
        {title}
      </UnstyledButton>
      {isOpen && (
        <div id={id} className="cs-disclosure-content">
          {children()}
        </div>
      )}
    </div>
  );
}
