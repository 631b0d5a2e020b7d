import { ActionIcon, Tooltip, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconCopy, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { texts } from '../texts/index.js';
import { copyText } from './copy-text.js';

interface CopyButtonProps {
  /** Returns the text on demand, because it may be long. */
  text(): string;
  /** Label that names the content: `Copy the digest`. */
  readonly label?: string;
}

/** Button that copies text and confirms that for two seconds. */
export function CopyButton({ text, label = texts.ui.copy }: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return undefined;
    const timer = setTimeout(() => setState('idle'), 2_000);
    return () => clearTimeout(timer);
  }, [state]);
  const statusText = state === 'copied' ? texts.ui.copied : state === 'failed' ? texts.ui.copyFailed : undefined;
  const Icon = state === 'copied' ? IconCheck : state === 'failed' ? IconX : IconCopy;
  const copy = (): void => {
    copyText(text()).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  };
  return (
    <Tooltip label={statusText ?? label} openDelay={300}>
      <ActionIcon variant="subtle" color="gray" size={26} aria-label={label} onClick={copy}>
        <Icon size={15} aria-hidden />
        <VisuallyHidden role="status">{statusText}</VisuallyHidden>
      </ActionIcon>
    </Tooltip>
  );
}
