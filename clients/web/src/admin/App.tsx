import type { ComponentType } from 'preact';
import { useEffect, useErrorBoundary, useRef, useState } from 'preact/hooks';
import '../app/app.css';
import '../app/dock.css';
import '../app/header.css';
import '../ui/choice.css';
import { usePageTitle } from '../app/usePageTitle.js';
import { useFocusOnNewPage } from '../app/useFocusOnNewPage.js';
import { useNotifications } from '../app/store.js';
import { Identicon } from '../ui/Identicon.js';
import { Notices } from '../ui/notices.js';
import { Button } from '../ui/Button.js';
import { signOut, useAccess, type Access } from './calls.js';
import { Loading, Problem } from './common.js';
import { hrefOf, receivedCode, viewId } from './link.js';
import { Name } from './people.js';
import { forgetSigner } from './signers.js';
import { SignIn } from './SignIn.js';
import { UndoNotices } from './undo.js';
import { viewsOfUser, type View } from './views.js';
import './admin.css';

/** The admin page: signing in, then the views that the user may see. */
export function App() {
  useNotifications((listener) => {
    addEventListener('hashchange', listener);
    return () => removeEventListener('hashchange', listener);
  }, 'hash');
  const access = useAccess();
  const code = receivedCode();
  const isOpen = access !== undefined && code === undefined;
  const views = isOpen ? viewsOfUser() : [];
  const id = viewId();
  const view = id === '' ? views[0] : views.find((it) => it.id === id);
  const main = useRef<HTMLElement>(null);
  useFocusOnNewPage(isOpen ? (view?.id ?? id) : 'sign-in', main);
  usePageTitle(isOpen && view ? `${view.title} · Admin` : 'Admin');

  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>Skip to the content</button>
      <header class="header">
        <div class="header-content admin-header">
          <a class="admin-brand" href={hrefOf('')}>Gambit admin</a>
          <bdi class="admin-relay muted">{location.host}</bdi>
          {isOpen && <User access={access} />}
        </div>
      </header>
      <div class={isOpen ? 'admin-frame' : 'admin-frame admin-frame-closed'}>
        {isOpen && <Navigation views={views} current={view} />}
        <main ref={main} class="main admin-main" tabIndex={-1}>
          {!isOpen ? <SignIn key={code} code={code} /> : view ? <Outlet key={view.id} view={view} /> : <Missing />}
        </main>
      </div>
      <aside class="dock" aria-label="Messages">
        <UndoNotices />
        <Notices />
      </aside>
      <div id="live-polite" class="visually-hidden" aria-live="polite" />
      <div id="live-assertive" class="visually-hidden" aria-live="assertive" />
    </>
  );
}

function User({ access }: { access: Access }) {
  const leave = () => {
    forgetSigner();
    void signOut();
  };
  return (
    <div class="admin-user">
      <Identicon pubkey={access.pubkey} size={24} />
      <span class="admin-user-name"><Name pubkey={access.pubkey} /></span>
      <Button size="small" onClick={leave}>Sign out</Button>
    </div>
  );
}

/** The links to the views: beside them where there is room, else behind a button that names the current one. */
function Navigation({ views, current }: { views: readonly View[]; current: View | undefined }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [current]);
  return (
    <nav class={`admin-nav ${isOpen ? 'admin-nav-open' : ''}`} aria-label="Views">
      <Button class="admin-nav-button" aria-expanded={isOpen} aria-controls="admin-views" onClick={() => setOpen(!isOpen)}>
        <span class="visually-hidden">Views, now </span>{current?.title ?? 'Views'}
      </Button>
      <ul id="admin-views">
        {views.map(({ id, title }) => (
          <li key={id}>
            <a href={hrefOf(id)} aria-current={id === current?.id ? 'page' : undefined} onClick={() => setOpen(false)}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Outlet({ view }: { view: View }) {
  const [Loaded, setLoaded] = useState<ComponentType>();
  const [problem, setProblem] = useState<string>();
  const [failure] = useErrorBoundary(console.error);
  useEffect(() => {
    view.load().then(
      (component) => setLoaded(() => component),
      () => setProblem('This view could not be loaded. Reload the page.'),
    );
  }, []);
  return (
    <div class="admin-view">
      <h1>{view.title}</h1>
      {failure !== undefined ? (
        <Problem text="This view has failed. Reload the page; the other views still work." />
      ) : Loaded ? (
        <Loaded />
      ) : problem === undefined ? (
        <Loading />
      ) : (
        <Problem text={problem} />
      )}
    </div>
  );
}

function Missing() {
  return (
    <div class="narrow">
      <h1>There is nothing here</h1>
      <p>This page has no such view, or your roles do not include it. <a href={hrefOf('')}>Go to the first view.</a></p>
    </div>
  );
}
