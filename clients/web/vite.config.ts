import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/**
 * The Content-Security-Policy under which the relay serves the page. `vite preview` sends it as
 * well, so that a violation shows before the page is in a jar.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: https:",
  "connect-src 'self' ws: wss: http: https:",
  "font-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The same for the scripts of workers, which may compile WebAssembly: the engine. */
const workersPolicy = contentSecurityPolicy.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'");

/** That of the admin page. */
const adminPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' https:",
  "connect-src 'self' ws: wss:",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The modules of the first load; others are split where they are imported, see `src/app/later.ts`. */
const FIRST_LOAD =
  /\/web\/src\/(app|board|challenge|game|help|identity|language|lobby|me|player|styles|ui)\/.*(?<!json)$|\/node_modules\/(preact|chess\.js|cm-chessboard|@formatjs|intl-messageformat)\//;

/** The players' page; with `--mode admin` the admin page, a build of its own: neither loads parts of the other. */
export default defineConfig(({ mode }) => ({
  // Relative addresses, so that any folder of any static host can serve the page.
  base: './',
  resolve: {
    // The library's source, so that neither its build nor a published version comes first.
    alias: { 'gambit-client': fileURLToPath(new URL('../gambit-client/src/index.ts', import.meta.url)) },
  },
  build: {
    target: 'es2022',
    // Files instead of data: addresses and inline scripts, as the policy above requires.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
    emptyOutDir: mode !== 'admin',
    copyPublicDir: mode !== 'admin',
    rolldownOptions: mode === 'admin' ? { input: fileURLToPath(new URL('admin.html', import.meta.url)) } : {
      output: {
        // What the first load needs is one file: on a phone, each further one costs as much as a kilobyte.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: 'page', test: FIRST_LOAD }],
        },
      },
    },
  },
  plugins: [
    {
      name: 'content-security-policy',
      configurePreviewServer({ middlewares }) {
        middlewares.use((request, response, next) => {
          const url = request.url ?? '';
          const policy = /\.js$/.test(url) ? workersPolicy : /^\/admin/.test(url) ? adminPolicy : contentSecurityPolicy;
          response.setHeader('Content-Security-Policy', policy);
          next();
        });
      },
    },
  ],
}));
