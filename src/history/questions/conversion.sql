-- Of the orders placed in each month, how many have been paid by now.
SELECT substr(placedOn, 1, 7) AS month, COUNT(*) AS placed, SUM(isPaid) AS paid,
  round(100.0 * SUM(isPaid) / COUNT(*), 1) AS percent
  FROM orders WHERE NOT isDeleted GROUP BY 1 ORDER BY 1
