import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** A development server: `TRANCHE_DEV=http://127.0.0.1:8787 npx vite server/web`. */
const target = process.env['TRANCHE_DEV'] ?? 'http://127.0.0.1:8787'

export default defineConfig({
  plugins: [react()],
  // Relative addresses: another application may mount the server under a prefix.
  base: './',
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    // The explorer, and the script and styles of the guide, whose pages `npm run build:guide` writes.
    rolldownOptions: { input: ['server/web/index.html', 'server/web/guide/guide.ts'] },
    manifest: 'manifest.json',
    modulePreload: { polyfill: false },
    // Separate files: inline data would need an exception in the policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 800,
    reportCompressedSize: false,
  },
  server: { proxy: { '/v1': target, '/session': target, '/account': target, '/admin': target } },
})
