autocmd BufNewFile,BufRead *.bot setfiletype bot
