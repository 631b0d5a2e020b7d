import { notifications } from '@mantine/notifications';
import { useEffect, useRef, useState, type ComponentType } from 'react';
import { texts } from '../texts/index.js';
import { Loading } from './loading.js';
import './lazy-dialog.css';

interface DialogProps {
  /** Default: open while it is rendered. */
  readonly opened?: boolean;
  onClose(isDone: boolean): void;
}

/**
 * Returns a dialog whose code is loaded when it is opened for the first time, so that no page waits for it. If it
 * cannot be loaded, a message says so and the dialog closes. The next opening tries again.
 *
 * Not for dialogs in which users type at once: what they type before the dialog is loaded is lost.
 */
export function lazyDialog<P extends DialogProps>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let cached: ComponentType<P> | undefined;
  return function LazyDialog(props: P) {
    const { opened = true, onClose } = props;
    const [Dialog, setDialog] = useState(() => cached);
    const latestOnClose = useRef(onClose);
    latestOnClose.current = onClose;
    const isLoading = opened && Dialog === undefined;
    useEffect(() => {
      if (!isLoading) return undefined;
      let isCancelled = false;
      void load().then(
        (loaded) => {
          cached = loaded;
          if (!isCancelled) setDialog(() => loaded);
        },
        () => {
          if (isCancelled) return;
          notifications.show({ color: 'red', message: texts.ui.dialogNotLoaded });
          latestOnClose.current(false);
        },
      );
      return () => {
        isCancelled = true;
      };
    }, [isLoading]);
    if (Dialog !== undefined) return <Dialog {...props} />;
    // An open dialog for the keyboard shortcuts too, which do nothing meanwhile.
    return isLoading ? (
      <div className="cs-loading-dialog" role="dialog" aria-modal="true" aria-label={texts.app.loading}>
        <Loading />
      </div>
    ) : null;
  };
}
