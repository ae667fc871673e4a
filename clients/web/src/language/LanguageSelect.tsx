import { chooseLanguage, language, LANGUAGES } from './language.js';
import { t } from './t.js';
import './language-select.css';

/** The choice of the page's language, each by its own name. The page is loaded anew in another one. */
export function LanguageSelect() {
  return (
    <label class="language-select">
      {/* The globe says what this is to those who cannot read the words. */}
      <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.8">
        <path d="M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0zM3 12h18M12 3q-9 9 0 18q9-9 0-18" />
      </svg>
      <span>{t('Language')}</span>
      <select class="input" value={language()} onChange={(event) => chooseLanguage(event.currentTarget.value)}>
        {Object.entries(LANGUAGES).map(([code, name]) => <option key={code} value={code} lang={code}>{name}</option>)}
      </select>
    </label>
  );
}
