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
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export default defineConfig({
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
  },
  preview: {
    headers: { 'Content-Security-Policy': contentSecurityPolicy },
  },
});
